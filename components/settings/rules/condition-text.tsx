'use client'
import { useQuery } from '@tanstack/react-query'
import { useFormatter, useLocale, useTranslations } from 'use-intl'
import { usePolicies } from '#components/kit/policies/use-policies.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { Condition, Leaf } from '#server/modules/rules/conditions/schema.ts'
import type { RuleVersion } from '#server/modules/rules/registry/schema.ts'
import { type FieldSpec, fieldsOf } from './condition-fields.ts'
import { useMuteTerm } from './mute-term.ts'

/** Of the words of a condition, so many are shown. */
const WORDS_SHOWN = 12

interface ConditionTextProps extends Pick<RuleVersion, 'kinds' | 'condition' | 'action'> {
  /** Of the rule; absent: the whole network. */
  communityId: string | undefined
}

/** What a version of a rule does, and with what, in plain words. */
export function ConditionText({ communityId, kinds, condition, action }: ConditionTextProps) {
  const t = useTranslations('rules.conditions')
  const format = useFormatter()
  const muteTerm = useMuteTerm()
  const policy = useTranslations('policy')
  const title = usePolicies().titleOf(action.policyId)
  const isGroup = condition.kind === 'all' || condition.kind === 'any'
  return (
    <div className="mt-2">
      <p>
        {t('does', {
          act: action.type,
          kinds: format.list(kinds.map((kind) => t(`kinds.${kind}`))),
          of: isGroup ? condition.kind : 'one',
        })}
      </p>
      <ConditionList conditions={isGroup ? condition.conditions : [condition]} />
      {action.type === 'hold' && <p className="mt-1">{t('severity', { severity: action.severity })}</p>}
      {action.muteMinutes !== undefined && <p className="mt-1">{t('mutes', { term: muteTerm(action.muteMinutes) })}</p>}
      {action.label && <p className="mt-1">{t('label', { label: `\u2068${action.label}\u2069` })}</p>}
      {action.queueId !== undefined && <QueueLine communityId={communityId} queueId={action.queueId} />}
      {title && <p className="mt-1 wrap-anywhere">{policy('of', { title })}</p>}
    </div>
  )
}

function QueueLine({ communityId, queueId }: { communityId: string | undefined; queueId: string }) {
  const t = useTranslations('rules.conditions')
  const { data: queues } = useQuery(useTRPC().queues.list.queryOptions({ communityId: communityId ?? null }))
  const name = queues?.find((queue) => queue.queueId === queueId)?.name
  return (
    queues && <p className="wrap-anywhere">{t('queue', { isKnown: String(name !== undefined), name: name ?? '' })}</p>
  )
}

function ConditionList({ conditions }: { conditions: Condition[] }) {
  return (
    <ul className="mt-1 ms-1 list-disc border-s border-line ps-6 marker:text-ink-3">
      {conditions.map((condition) => (
        <li key={JSON.stringify(condition)} className="wrap-anywhere text-ink">
          <ConditionLine condition={condition} />
        </li>
      ))}
    </ul>
  )
}

function ConditionLine({ condition, isNot = false }: { condition: Condition; isNot?: boolean }) {
  const t = useTranslations('rules.conditions')
  const textOf = useLeafText()
  switch (condition.kind) {
    case 'not':
      return <ConditionLine condition={condition.condition} isNot={!isNot} />
    case 'all':
    case 'any':
      return (
        <>
          {t(isNot ? 'notGroup' : 'group', { of: condition.kind })}
          <ConditionList conditions={condition.conditions} />
        </>
      )
    default:
      return isNot ? t('not', { condition: textOf(condition) }) : textOf(condition)
  }
}

const isolated = (word: string) => `\u2068${word}\u2069`

/** A condition in a sentence: the arguments of its message are its fields. */
function useLeafText(): (leaf: Leaf) => string {
  const t = useTranslations('rules.conditions')
  const ui = useTranslations('ui')
  const format = useFormatter()
  const nameOf = usePickName()

  function words(all: string[]): string {
    const shown = all.slice(0, WORDS_SHOWN).map(isolated)
    const rest = all.length - shown.length
    return rest === 0 ? anyOf(shown) : `${shown.join(ui('comma'))} ${t('more', { count: rest })}`
  }
  const anyOf = (names: string[]) => format.list(names, { type: 'disjunction' })

  function said({ type, name }: FieldSpec, value: unknown): string | number {
    // Safe: lines and picks are lists of texts.
    if (type === 'lines') return words(value as string[])
    if (type === 'picks') return anyOf((value as string[]).map((option) => nameOf(name, option)))
    if (type === 'percent') return format.number(Number(value), { style: 'percent', maximumFractionDigits: 2 })
    if (type === 'number') return Number(value ?? 0)
    return type === 'text' ? isolated(String(value)) : String(value)
  }

  return (leaf) => {
    const fields = fieldsOf(leaf.kind).map((field) => [field.name, said(field, Object(leaf)[field.name])])
    // Safe: a test checks that the message of each kind needs nothing else.
    return t(leaf.kind as 'words', { ...Object.fromEntries(fields), bounds: boundsOf(Object(leaf)) })
  }
}

/** Which of two bounds a condition has. */
function boundsOf({ atLeast, atMost }: { atLeast?: unknown; atMost?: unknown }): 'to' | 'from' | 'both' {
  if (atLeast === undefined) return 'to'
  return atMost === undefined ? 'from' : 'both'
}

/** The name of a language, script or medium. */
export function usePickName(): (field: string, option: string) => string {
  const t = useTranslations('rules')
  const languages = new Intl.DisplayNames([useLocale()], { type: 'language' })
  return (field, option) => {
    if (field === 'languages') return languages.of(option) ?? option
    return field === 'scripts' ? t(`scripts.${option as 'Latin'}`) : t(`media.${option as 'image'}`)
  }
}
