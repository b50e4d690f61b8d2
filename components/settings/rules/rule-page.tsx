'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { toRulesPath } from '#components/kit/addresses/rules-search.ts'
import { ErrorState } from '#components/kit/states/error-state.tsx'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { trpcClient } from '#components/trpc/trpc.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { useNavigate } from '#components/ui/use-navigate.ts'
import type { Rule, RuleState } from '#server/modules/rules/registry/schema.ts'
import { BackLink, SettingsPage, SettingsSection } from '../settings-page.tsx'
import { useDialogs } from '../use-dialogs.tsx'
import { type SettingsActs, useSettingsActs } from '../use-settings-acts.tsx'
import { Backtest } from './backtest.tsx'
import { ConditionText } from './condition-text.tsx'
import { RecordSection } from './record-section.tsx'
import { RuleStateBadge } from './rule-state.tsx'
import { useRuleErrorMessage } from './use-problem-message.ts'
import { useLiveRules, useReadRulesAgain, useRuleSpaces } from './use-rule-queries.ts'

const RuleForm = lazyPart(() => import('./rule-form.tsx').then(({ RuleForm }) => RuleForm), {
  isPlain: true,
})
const MakeLiveDialog = lazyPart(() => import('./make-live-dialog.tsx').then(({ MakeLiveDialog }) => MakeLiveDialog), {
  onFailed: ({ onClose }) => onClose(),
})

/** One rule: what it does, its state, what it would have done and what it did. */
export function RulePage({ ruleId }: { ruleId: string }) {
  const t = useTranslations('rules')
  const read = useQuery(useTRPC().rules.read.queryOptions({ ruleId }))
  useLiveRules()
  if (read.data) return <RuleBody rule={read.data} list={read} />
  return (
    <SettingsPage title={t('title')}>
      <QueryState query={read} />
    </SettingsPage>
  )
}

function RuleBody({ rule, list }: { rule: Rule; list: Parameters<typeof QueryState>[0]['query'] }) {
  const t = useTranslations('rules')
  const times = useTimes()
  const go = useNavigate()
  const announce = useAnnounce()
  const acts = useSettingsActs(useReadRulesAgain(), useRuleErrorMessage())
  const { confirm, dialog } = useDialogs()
  const [isEditing, setEditing] = useState(false)
  const [hasEdited, setEdited] = useState(false)
  const { ruleId, revision, name, communityId, version, owner, updatedAt, kinds, condition, action } = rule
  const backPath = toRulesPath({ communityId: communityId ?? null })
  const spaces = useRuleSpaces(communityId)
  const space = communityId
    ? spaces.data?.find((one) => one.communityId === communityId)?.displayName
    : t('wholeNetwork')

  function edit(): void {
    setEditing(true)
    setEdited(true)
  }

  const archive = () =>
    confirm(
      { title: t('life.archiveTitle', { name }), means: t('life.archiveMeans'), submit: t('life.archiveSubmit') },
      async () => {
        await trpcClient.rules.archive.mutate({ ruleId, revision })
        announce(t('life.archived', { name }))
        go(backPath)
      },
    )

  return (
    <SettingsPage
      isWide={isEditing}
      title={
        <span className="flex flex-wrap items-center gap-2">
          <bdi className="wrap-anywhere">{name}</bdi>
          <RuleStateBadge rule={rule} />
        </span>
      }
      lead={
        <>
          <BackLink href={backPath}>{t('back')}</BackLink>
          {space && <bdi className="me-1.5">{t('of', { space })}</bdi>}
          {t.rich('facts', {
            version,
            owner: owner.displayName,
            b: (text) => <bdi>{text}</bdi>,
            time: times.exact(updatedAt),
          })}
        </>
      }
      acts={<Button onPress={archive}>{t('life.archive')}</Button>}
    >
      {list.isError && <ErrorState list={list} />}
      <SettingsSection
        id="conditions"
        title={t('conditions.title')}
        acts={
          !isEditing && (
            // It has the focus again once the editor is gone.
            <Button autoFocus={hasEdited} onPress={edit}>
              {t('conditions.edit')}
            </Button>
          )
        }
      >
        {isEditing ? (
          <RuleForm
            rule={rule}
            onClose={() => setEditing(false)}
            onSaved={() => {
              setEditing(false)
              acts.done({ words: t('form.saved') })
            }}
          />
        ) : (
          <ConditionText communityId={communityId} kinds={kinds} condition={condition} action={action} />
        )}
      </SettingsSection>
      <Life rule={rule} acts={acts} />
      {action.type !== 'highlight' && <Backtest key={JSON.stringify([kinds, condition])} rule={rule} acts={acts} />}
      <RecordSection rule={rule} />
      <Versions rule={rule} />
      {acts.toast}
      {dialog}
    </SettingsPage>
  )
}

/** The states that follow each state, as on the server. */
const NEXT: Record<RuleState, readonly RuleState[]> = {
  draft: ['shadow', 'live'],
  shadow: ['live', 'paused'],
  live: ['shadow', 'paused'],
  paused: ['shadow', 'live'],
}

/** What the rule's state means, and the states that can follow. */
function Life({ rule, acts }: { rule: Rule; acts: SettingsActs }) {
  const t = useTranslations('rules.life')
  const times = useTimes()
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const setting = useMutation(
    trpc.rules.setState.mutationOptions({
      onSuccess: (changed) => queryClient.setQueryData(trpc.rules.read.queryKey({ ruleId: changed.ruleId }), changed),
    }),
  )
  const format = useFormatter()
  const errorMessageOf = useRuleErrorMessage()
  const meaning = useRef<HTMLParagraphElement>(null)
  const [asksForLive, setAsksForLive] = useState(false)
  const { ruleId, state, paused, overturned, maxOverturned, mayMakeLive } = rule
  const { type: act } = rule.action

  /** A draft that was started can't be one again. */
  function change(to: RuleState): void {
    setAsksForLive(false)
    let revision = rule.revision
    const set = async (next: RuleState) => {
      const changed = await setting.mutateAsync({ ruleId, revision, state: next })
      revision = changed.revision
      // The button that was pressed is gone now.
      meaning.current?.focus()
    }
    acts.run(() => set(to), {
      words: t(`done.${to}`),
      ...(NEXT[to].includes(state) && { undo: () => set(state) }),
    })
  }

  return (
    <SettingsSection id="state" title={t('title')}>
      <p ref={meaning} tabIndex={-1} className="mt-2 outline-none">
        {t(state, { act })} {paused && <WhyPaused paused={paused} times={times} />}
        {overturned && t('overturned', { ...overturned, act, time: times.exact(overturned.at) })}
        {state === 'live' &&
          maxOverturned !== null &&
          act !== 'highlight' &&
          t('goesBack', { act, share: format.number(maxOverturned, { style: 'percent', maximumFractionDigits: 1 }) })}
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        {NEXT[state]
          .filter((to) => to !== 'live' || mayMakeLive)
          .map((to) => (
            <Button
              key={to}
              isPending={setting.isPending}
              onPress={() => (to === 'live' && act !== 'highlight' ? setAsksForLive(true) : change(to))}
            >
              {t(`to.${to}`, { state })}
            </Button>
          ))}
        {!mayMakeLive && <span className="text-small text-ink-3">{t('mayNot')}</span>}
      </div>
      {asksForLive && (
        <MakeLiveDialog
          rule={rule}
          isPending={setting.isPending}
          failure={errorMessageOf(setting.error)}
          onConfirm={() => change('live')}
          onClose={() => setAsksForLive(false)}
        />
      )}
    </SettingsSection>
  )
}

function WhyPaused({ paused, times }: { paused: NonNullable<Rule['paused']>; times: ReturnType<typeof useTimes> }) {
  const t = useTranslations('rules.life')
  const time = times.exact(paused.at)
  if (paused.reason) return t(paused.reason === 'slow' ? 'pausedSlow' : 'pausedFailed', { time })
  return paused.by ? t('pausedBy', { who: paused.by, time }) : null
}

/** The versions, newest first; each with its conditions. */
function Versions({ rule: { communityId, version: current, versions } }: { rule: Rule }) {
  const t = useTranslations('rules.versions')
  const format = useFormatter()
  const times = useTimes()
  if (versions.length < 2) return null
  return (
    <SettingsSection id="versions" title={t('title')}>
      {versions.map(({ version, kinds, condition, action, usedAt }) => (
        <details key={version} className="border-b border-line py-1.5">
          <summary className="min-h-6 cursor-pointer coarse:min-h-10">
            <span className="font-firm text-ink">{t('version', { version })}</span>{' '}
            <span className="text-ink-3">
              {format.list(
                [
                  version === current && t('current'),
                  usedAt ? t('used', { time: times.exact(usedAt) }) : t('unused'),
                ].filter((part) => part !== false),
                { type: 'unit' },
              )}
            </span>
          </summary>
          <ConditionText communityId={communityId} kinds={kinds} condition={condition} action={action} />
        </details>
      ))}
    </SettingsSection>
  )
}
