'use client'
import { useQuery } from '@tanstack/react-query'
import { useFormatter, useLocale, useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { Condition, Leaf } from '#server/modules/rules/conditions/schema.ts'
import type { RuleVersion } from '#server/modules/rules/registry/schema.ts'
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

function boundsOf({ atLeast, atMost }: { atLeast?: number | undefined; atMost?: number | undefined }) {
  if (atLeast === undefined) return 'to'
  return atMost === undefined ? 'from' : 'both'
}

/** A condition in a sentence. */
function useLeafText(): (leaf: Leaf) => string {
  const t = useTranslations('rules.conditions')
  const names = useTranslations('rules')
  const ui = useTranslations('ui')
  const format = useFormatter()
  const languages = new Intl.DisplayNames([useLocale()], { type: 'language' })
  const several = (words: string[], type: 'conjunction' | 'disjunction') => format.list(words, { type })
  const isolated = (words: string[]) => words.map((word) => `\u2068${word}\u2069`)
  const some = (words: string[]) => {
    const shown = isolated(words.slice(0, WORDS_SHOWN))
    const rest = words.length - shown.length
    return rest === 0 ? several(shown, 'disjunction') : `${shown.join(ui('comma'))} ${t('more', { count: rest })}`
  }
  const percent = (share: number) => format.number(share, { style: 'percent', maximumFractionDigits: 2 })

  return (leaf) => {
    switch (leaf.kind) {
      case 'words':
        return t('words', { match: leaf.match, spelling: leaf.spelling, list: some(leaf.words) })
      case 'pattern':
        return t('pattern', {
          pattern: `\u2068${leaf.pattern}\u2069`,
          isCaseSensitive: String(leaf.isCaseSensitive),
        })
      case 'links':
        return t('links', { count: leaf.atLeast })
      case 'domains':
        return t('domains', { isListed: String(leaf.isListed), list: some(leaf.domains) })
      case 'language':
        return t('language', {
          list: several(
            leaf.languages.map((code) => languages.of(code) ?? code),
            'disjunction',
          ),
        })
      case 'script':
        return t('script', {
          share: percent(leaf.shareAtLeast),
          list: several(
            leaf.scripts.map((script) => names(`scripts.${script}`)),
            'disjunction',
          ),
        })
      case 'length':
        return t('length', { bounds: boundsOf(leaf), from: leaf.atLeast ?? 0, to: leaf.atMost ?? 0 })
      case 'capitals':
        return t('capitals', { share: percent(leaf.shareAtLeast), letters: leaf.letters })
      case 'mentions':
        return t('mentions', { count: leaf.atLeast })
      case 'media':
        return t('media', {
          list: several(
            leaf.types.map((type) => names(`media.${type}`)),
            'disjunction',
          ),
        })
      case 'accountAge':
        return t('accountAge', { days: leaf.underDays })
      case 'contributions':
        return t('contributions', { count: leaf.fewerThan })
      case 'decisions':
        return t('decisions', { outcome: leaf.outcome, count: leaf.atLeast })
      case 'bans':
        return t('bans', { count: leaf.atLeast })
      case 'membership':
        return t('membership', { is: leaf.is })
      case 'rate':
        return t('rate', { by: leaf.by, count: leaf.moreThan, minutes: leaf.withinMinutes })
      case 'signal':
        return t('signal', {
          name: `\u2068${leaf.name}\u2069`,
          bounds: boundsOf(leaf),
          from: format.number(leaf.atLeast ?? 0),
          to: format.number(leaf.atMost ?? 0),
        })
      case 'similarity':
        return t('similarity', { share: percent(leaf.similarAtLeast), times: leaf.times, days: leaf.withinDays })
    }
  }
}
