'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useDraftFields } from '#components/kit/acts/use-draft-fields.ts'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { PolicyField } from '#components/kit/policies/policy-field.tsx'
import { toRequestError } from '#components/trpc/request-error.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Banner } from '#components/ui/banner.tsx'
import { Button } from '#components/ui/button.tsx'
import { CheckBoxes } from '#components/ui/check-box.tsx'
import { Choices } from '#components/ui/choices.tsx'
import { Field } from '#components/ui/field.tsx'
import { FormError } from '#components/ui/form-error.tsx'
import { MenuSelect } from '#components/ui/menu-select.tsx'
import type { Rule, RuleAction, RuleKind } from '#server/modules/rules/registry/schema.ts'
import {
  type GroupDraft,
  isGroup,
  type PartDraft,
  type Problems,
  problemsOf,
  toCondition,
  toDraft,
} from './condition-draft.ts'
import { GroupEditor } from './condition-editor.tsx'
import { fieldsOf } from './condition-fields.ts'
import { DraftTest } from './draft-test.tsx'
import { MUTE_TERMS, useMuteTerm } from './mute-term.ts'
import type { DraftSource } from './use-draft-test.ts'
import { problemsIn, useProblemMessage } from './use-problem-message.ts'

const NAME_LENGTH = 80
/** In per cent, as a new rule has it. Nobody looks at most of what is rejected. */
const MAX_OVERTURNED: Record<RuleAction['type'], string> = { hold: '50', reject: '10', flag: '50', highlight: '50' }
const LABEL_LENGTH = 40
/** A field that is wrong, or the button of one. */
const WRONG = '[aria-invalid=true], [role=group][aria-describedby] button'
const KINDS: RuleKind[] = ['comment', 'post', 'message']
const SEVERITIES: RuleAction['severity'][] = ['low', 'medium', 'high']
const ACTIONS: RuleAction['type'][] = ['hold', 'reject', 'flag', 'highlight']

interface RuleFormProps {
  /** The rule that is edited, or what a new one starts from. */
  rule: Rule | NewRuleStart
  /** Above the conditions: what to know of them. */
  lead?: string | undefined
  /** Above the conditions: gets their draft, and changes it. */
  aside?: (root: GroupDraft, onChange: (root: GroupDraft) => void) => ReactNode
  onClose: () => void
  onSaved: (rule: Rule) => void
}

export interface NewRuleStart {
  communityId: string | null
  kinds: RuleKind[]
  action: RuleAction['type']
  root: GroupDraft
  /** What it is made from, which names its draft. */
  from: string
  /** The item, or an item of the wave, that it is made from. */
  source?: DraftSource
  /** Of a preset. */
  name?: string | undefined
  severity?: RuleAction['severity'] | undefined
}

interface Draft {
  kinds: RuleKind[]
  action: RuleAction['type']
  severity: RuleAction['severity']
  label: string
  /** The policy that what it finds breaks; absent: none. */
  policyId?: string | undefined
  /** For how long what it holds or rejects mutes its author; absent: it doesn't. */
  muteMinutes?: number | undefined
  /** The queue of what it holds; absent: none. */
  queueId?: string | undefined
  root: GroupDraft
}

/** A rule: first what it finds, beside it what that would have caught, then what happens. What is written is kept until it is saved or discarded, whatever happens to the page. */
export function RuleForm({ rule, lead, aside, onClose, onSaved }: RuleFormProps) {
  const t = useTranslations('rules.form')
  const problemMessageOf = useProblemMessage()
  const { fields, write, forget } = useDraftFields(formOf(rule), startOf(rule))
  // A draft of an earlier version has neither severity nor label.
  const draft: Draft = { severity: 'medium', label: '', ...JSON.parse(fields.draft) }
  const form = useRef<HTMLFormElement>(null)
  const [problems, setProblems] = useState<Problems>({})
  const { save, isPending, theirs, failure } = useSave(rule)

  const change = (changed: Partial<Draft>) => write({ draft: JSON.stringify({ ...draft, ...changed }) })

  // biome-ignore lint/correctness/useExhaustiveDependencies: once the fields are marked, each time
  useEffect(() => form.current?.querySelector<HTMLElement>(WRONG)?.focus(), [problems])

  async function send(revision: number): Promise<void> {
    const missing = missingIn(draft.root)
    setProblems(missing)
    if (Object.keys(missing).length > 0 || isPending) return
    const { name } = fields
    const maxOverturned = fields.maxOverturned === '' ? null : Number(fields.maxOverturned) / 100
    const { kinds, root } = draft
    const label = draft.label.trim()
    const queueId = draft.action === 'hold' ? draft.queueId : undefined
    const action = {
      type: draft.action,
      severity: draft.severity,
      ...(label !== '' && { label }),
      ...(draft.policyId && { policyId: draft.policyId }),
      ...(queueId && { queueId }),
      ...(canMute(draft) && draft.muteMinutes && { muteMinutes: draft.muteMinutes }),
    }
    const condition = toCondition(root)
    const outcome = await save({ name, kinds, condition, action, maxOverturned }, revision)
    if (outcome.saved) {
      forget()
      onSaved(outcome.saved)
    } else setProblems(problemsOf(outcome.problems, root))
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    void send(Number(fields.revision))
  }

  function onKeyDown(event: KeyboardEvent<HTMLFormElement>): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return
    event.preventDefault()
    event.currentTarget.requestSubmit()
  }

  /** A limit that wasn't changed becomes the usual one of the other act; a rule on messages alone that now holds judges comments. */
  function chooseAct(action: RuleAction['type']): void {
    const isUsual = fields.maxOverturned === MAX_OVERTURNED[draft.action]
    const maxOverturned = isUsual ? MAX_OVERTURNED[action] : fields.maxOverturned
    const judged = draft.kinds.filter((kind) => canJudge(action, kind))
    const kinds: RuleKind[] = judged.length > 0 ? judged : ['comment']
    write({ draft: JSON.stringify({ ...draft, action, kinds }), maxOverturned })
  }

  function discard(): void {
    forget()
    onClose()
  }

  const { '': about } = problems
  const level = 'ruleId' in rule ? 3 : 2
  return (
    <form ref={form} onSubmit={submit} onKeyDown={onKeyDown} className="@container mt-3 grid gap-5">
      {theirs && (
        <Banner
          kind="info"
          acts={
            <>
              <Button size="small" onPress={() => void send(theirs.revision)}>
                {t('saveMine')}
              </Button>
              <Button size="small" look="bare" onPress={discard}>
                {t('discardMine')}
              </Button>
            </>
          }
        >
          {t.rich('changed', { b: (text) => <b>{text}</b> })}
        </Banner>
      )}
      <div className="max-w-180">
        <Field
          label={t('name')}
          hint={t('nameHint')}
          dir="auto"
          autoFocus
          required
          pattern=".*\S.*"
          autoComplete="off"
          maxLength={NAME_LENGTH}
          value={fields.name}
          error={about?.field === 'name' ? t('problems.name') : undefined}
          onChange={(event) => write({ name: event.target.value })}
        />
      </div>
      <Part level={level} title={t('find')}>
        <div className="grid items-start gap-4 @min-[50rem]:grid-cols-[minmax(0,1fr)_20rem]">
          <div className="grid min-w-0 gap-4">
            {lead && <p>{lead}</p>}
            {aside?.(draft.root, (root) => change({ root }))}
            <GroupEditor
              communityId={rule.communityId ?? null}
              legend={t(`conditions.${draft.action}`)}
              root={draft.root}
              problems={problems}
              onChange={(root) => change({ root })}
            />
            <KindsChoice draft={draft} onChange={(kinds) => change({ kinds })} />
          </div>
          {draft.action !== 'highlight' && (
            <DraftTest
              level={level}
              draft={toTested(draft, rule)}
              source={'ruleId' in rule ? undefined : rule.source}
            />
          )}
        </div>
      </Part>
      <Part level={level} title={t('happens')}>
        <div className="grid max-w-180 gap-4">
          <Choices
            legend={t('act')}
            choices={ACTIONS.map((id) => ({ id, label: t(`acts.${id}`), hint: t(`actHints.${id}`) }))}
            chosen={draft.action}
            onChoose={chooseAct}
            columns={2}
          />
          <Treatment rule={rule} draft={draft} onChange={change} />
          {draft.action !== 'highlight' && (
            <Field
              label={t('maxOverturned', { act: draft.action })}
              hint={t('maxOverturnedHint', { act: draft.action })}
              isShort
              type="number"
              inputMode="decimal"
              min={0}
              max={100}
              step="any"
              autoComplete="off"
              value={fields.maxOverturned}
              onChange={(event) => write({ maxOverturned: event.target.value })}
            />
          )}
        </div>
      </Part>
      {about && about.field !== 'name' && <FormError id="rule-problem">{problemMessageOf(about)}</FormError>}
      {failure && <FormError id="rule-failure">{failure}</FormError>}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" look="primary" isPending={isPending}>
          {t('ruleId' in rule ? 'save' : 'create')}
        </Button>
        <Button look="bare" onPress={discard}>
          {t('cancel')}
        </Button>
        {'ruleId' in rule && (rule.state === 'live' || rule.state === 'shadow') && (
          <span className="text-small text-ink-3">{t('liveNow', { state: rule.state })}</span>
        )}
      </div>
    </form>
  )
}

/** Under the heading of the page, or of its section. */
type HeadingLevel = 2 | 3

function Part({ level, title, children }: { level: HeadingLevel; title: string; children: ReactNode }) {
  const Heading = `h${level}` as const
  return (
    <section className="border-t border-line pt-3">
      <Heading className="mb-2 text-large font-bold text-ink">{title}</Heading>
      {children}
    </section>
  )
}

function KindsChoice({ draft, onChange }: { draft: Draft; onChange: (kinds: RuleKind[]) => void }) {
  const t = useTranslations('rules.form')
  const kindNames = useTranslations('rules.kinds')
  return (
    <div>
      <CheckBoxes
        legend={t('judges')}
        choices={KINDS.map((id) => ({
          id,
          label: kindNames(id),
          isDisabled: !canJudge(draft.action, id),
          describedBy: canJudge(draft.action, id) ? undefined : 'rule-not-held',
        }))}
        chosen={draft.kinds}
        onChange={onChange}
      />
      {draft.action === 'hold' && (
        <p id="rule-not-held" className="mt-1 text-small text-ink-3">
          {t('messagesNotHeld')}
        </p>
      )}
    </div>
  )
}

interface TreatmentProps {
  rule: RuleFormProps['rule']
  draft: Draft
  onChange: (changed: Partial<Draft>) => void
}

/** What else happens to what it finds, and to its author. */
function Treatment({ rule, draft, onChange }: TreatmentProps) {
  const t = useTranslations('rules.form')
  const severities = useTranslations('rules.severities')
  return (
    <>
      {draft.action === 'hold' && (
        <div>
          <Choices
            legend={t('severity')}
            choices={SEVERITIES.map((id) => ({ id, label: severities(id) }))}
            chosen={draft.severity}
            onChoose={(severity) => onChange({ severity })}
            columns={3}
          />
          <p className="mt-1 text-small text-ink-3">{t('severityHint')}</p>
          <QueueChoice
            communityId={rule.communityId ?? null}
            queueId={draft.queueId}
            onChoose={(queueId) => onChange({ queueId })}
          />
        </div>
      )}
      {canMute(draft) && (
        <MuteChoice minutes={draft.muteMinutes} onChoose={(muteMinutes) => onChange({ muteMinutes })} />
      )}
      <Field
        label={t('label')}
        hint={t('labelHint')}
        dir="auto"
        autoComplete="off"
        maxLength={LABEL_LENGTH}
        value={draft.label}
        onChange={(event) => onChange({ label: event.target.value })}
      />
      <PolicyField
        policyId={draft.policyId}
        onChange={(policyId) => onChange({ policyId })}
        kept={'ruleId' in rule ? rule.action.policyId : undefined}
      />
    </>
  )
}

/** What is tested while it is written; undefined until its conditions are complete. */
function toTested({ kinds, root }: Draft, { communityId = null }: RuleFormProps['rule']) {
  if (Object.keys(missingIn(root)).length > 0) return undefined
  return { communityId, kinds, condition: toCondition(root) }
}

/** Messages are public as soon as they are written, and can't wait. */
const canJudge = (action: RuleAction['type'], kind: RuleKind) => action !== 'hold' || kind !== 'message'

/** Whether the rule can mute authors: in communities, where what mutes them is looked at. */
const canMute = ({ action, kinds }: Pick<Draft, 'action' | 'kinds'>) =>
  (action === 'hold' || action === 'reject') && !kinds.includes('message')

const formOf = (rule: RuleFormProps['rule']) => ('ruleId' in rule ? `rule ${rule.ruleId}` : `new rule ${rule.from}`)

/** The revision is kept with the draft, so that a reload doesn't hide that somebody changed the rule. */
function startOf(rule: RuleFormProps['rule']): Record<'name' | 'draft' | 'maxOverturned' | 'revision', string> {
  const { kinds } = rule
  if (!('ruleId' in rule)) {
    const { action, severity = 'medium', root, name = '' } = rule
    const draft: Draft = { kinds, action, severity, label: '', root }
    return { name, draft: JSON.stringify(draft), maxOverturned: MAX_OVERTURNED[action], revision: '0' }
  }
  const { type: action, severity, label = '', muteMinutes, queueId, policyId } = rule.action
  const draft: Draft = { kinds, action, severity, label, muteMinutes, queueId, policyId, root: toDraft(rule.condition) }
  const { name, maxOverturned, revision } = rule
  const percent = maxOverturned === null ? '' : String(Math.round(maxOverturned * 10_000) / 100)
  return { name, draft: JSON.stringify(draft), maxOverturned: percent, revision: String(revision) }
}

/** Groups and fields of several values without any, and bounds that are both left out; the browser checks the others. */
function missingIn(part: PartDraft): Problems {
  if (isGroup(part))
    return part.parts.length === 0 ? { [part.id]: { text: '' } } : Object.assign({}, ...part.parts.map(missingIn))
  const isEmpty = (name: string) => (part.values[name] ?? '').trim() === ''
  const hasNoBounds = (part.kind === 'length' || part.kind === 'signal') && isEmpty('atLeast') && isEmpty('atMost')
  const missing = fieldsOf(part.kind).find(
    ({ name, type }) =>
      ((type === 'lines' || type === 'picks') && isEmpty(name)) || (hasNoBounds && name === 'atLeast'),
  )
  return missing ? { [part.id]: { field: missing.name, text: '' } } : {}
}

type Outcome = { saved: Rule } | { saved?: undefined; problems: string[] }

/** Creates or changes the rule. If somebody changed it first, `theirs` is their version, and nothing is overwritten. */
function useSave(rule: RuleFormProps['rule']) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const errorMessageOf = useErrorMessage()
  const creating = useMutation(trpc.rules.create.mutationOptions())
  const changing = useMutation(trpc.rules.change.mutationOptions())
  const [theirs, setTheirs] = useState<Rule>()
  const [failure, setFailure] = useState<string>()

  async function save(
    fields: Pick<Rule, 'name' | 'kinds' | 'condition' | 'action' | 'maxOverturned'>,
    revision: number,
  ): Promise<Outcome> {
    setFailure(undefined)
    try {
      const saved =
        'ruleId' in rule
          ? await changing.mutateAsync({ ...fields, ruleId: rule.ruleId, revision })
          : await creating.mutateAsync({ ...fields, communityId: rule.communityId })
      queryClient.setQueryData(trpc.rules.read.queryKey({ ruleId: saved.ruleId }), saved)
      void queryClient.invalidateQueries(trpc.rules.pathFilter())
      return { saved }
    } catch (error) {
      const failed = toRequestError(error)
      const problems = problemsIn(error)
      if (failed.code === 'CONFLICT' && 'ruleId' in rule) {
        await queryClient
          .fetchQuery(trpc.rules.read.queryOptions({ ruleId: rule.ruleId }, { staleTime: 0 }))
          .then(setTheirs, (error: unknown) => setFailure(errorMessageOf(error)))
      } else if (problems.length === 0) setFailure(errorMessageOf(error))
      return { problems }
    }
  }
  return { save, isPending: creating.isPending || changing.isPending, theirs, failure }
}

interface MuteChoiceProps {
  /** Undefined: the author isn't muted. */
  minutes: number | undefined
  onChoose: (minutes: number | undefined) => void
}

/** For how long the author is muted, if at all; a term that was set over the interface is among the choices. */
function MuteChoice({ minutes, onChoose }: MuteChoiceProps) {
  const t = useTranslations('rules.form')
  const muteTerm = useMuteTerm()
  const terms = minutes === undefined || MUTE_TERMS.includes(minutes) ? MUTE_TERMS : [...MUTE_TERMS, minutes]
  return (
    <div>
      <Choices
        legend={t('mute')}
        choices={[
          { id: '', label: t('noMute') },
          ...terms.map((term) => ({ id: String(term), label: muteTerm(term) })),
        ]}
        chosen={minutes === undefined ? '' : String(minutes)}
        onChoose={(id) => onChoose(id === '' ? undefined : Number(id))}
        columns={3}
      />
      <p className="mt-1 text-small text-ink-3">{t('muteHint')}</p>
    </div>
  )
}

interface QueueChoiceProps {
  communityId: string | null
  queueId: string | undefined
  onChoose: (queueId: string | undefined) => void
}

/** No queue. */
const NONE = ''

/** The queue that a rule sends what it holds to; not shown where there is none to choose. */
function QueueChoice({ communityId, queueId, onChoose }: QueueChoiceProps) {
  const t = useTranslations('rules.form')
  const { data: queues } = useQuery(useTRPC().queues.list.queryOptions({ communityId }))
  if (!queues || (queues.length === 0 && queueId === undefined)) return null
  const isKnown = queueId === undefined || queues.some((queue) => queue.queueId === queueId)
  const options = [
    { id: NONE, label: t('noQueue') },
    ...queues.map(({ queueId, name }) => ({ id: queueId, label: name })),
    ...(isKnown ? [] : [{ id: queueId, label: t('deletedQueue') }]),
  ]
  return (
    <div className="mt-4 grid justify-items-start gap-1.5">
      <MenuSelect
        isField
        label={t('queue')}
        options={options}
        value={queueId ?? NONE}
        onChange={(id) => onChoose(id === NONE ? undefined : id)}
      />
      <p className="text-small text-ink-3">{t('queueHint')}</p>
    </div>
  )
}
