'use client'
import Link from 'next/link'
import { useTranslations } from 'use-intl'
import { toQueuePath } from '#components/kit/addresses/queue-search.ts'
import { toRulePath } from '#components/kit/addresses/rules-search.ts'
import { FoundText } from '#components/kit/review/found-text.tsx'
import { OutcomeWord } from '#components/kit/review/outcome.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import type { RecordedItem } from '#server/modules/review/rule-records/schema.ts'
import type { RuleAction } from '#server/modules/rules/registry/schema.ts'

/** What people decide on reports. */
const ON_REPORTS = { approved: 'dismissed', rejected: 'deleted' } as const
const REPORTED = { view: 'reported' as const }

interface RecordedItemRowProps {
  item: RecordedItem
  /** What the version that fired does. */
  act: RuleAction['type']
  /** Whether the rule is named, where the list is of several. */
  isOfSeveral?: boolean
}

/** What a rule fired on, what it did then, and what people decided on it. */
export function RecordedItemRow({ item, act, isOfSeveral = false }: RecordedItemRowProps) {
  const { subjectType, subjectId, isLive, version, at, outcome, content } = item
  const t = useTranslations('rules.record')
  const times = useTimes()
  return (
    <li className="border-b border-line py-2">
      <p className="flex flex-wrap items-baseline gap-x-2 text-small text-ink-3">
        {content && <bdi className="font-firm text-ink">{content.authorName}</bdi>}
        {!isOfSeveral && <span>{t(isLive ? 'heldIt' : 'wouldHold', { act })}</span>}
        <time dateTime={at}>{times.exact(at)}</time>
        {isOfSeveral ? (
          <Link href={toRulePath(item.ruleId)} prefetch={false} className="inline-flex min-h-6 items-center">
            <bdi>{item.ruleName}</bdi>
          </Link>
        ) : (
          <span>{t('inVersion', { version })}</span>
        )}
        {outcome ? (
          <OutcomeWord outcome={act === 'flag' ? ON_REPORTS[outcome] : outcome} />
        ) : (
          <span>{t(isLive && act === 'reject' ? 'notRestored' : 'notDecided')}</span>
        )}
        {content && isLive && act !== 'highlight' && (
          <Link
            href={toQueuePath({ item: `${subjectType}:${subjectId}`, ...(act === 'flag' && REPORTED) })}
            prefetch={false}
            className="ms-auto inline-flex min-h-6 items-center"
          >
            {t('toItem')}
          </Link>
        )}
      </p>
      {content ? (
        <FoundText title={content.title} text={content.text} found={content.found} />
      ) : (
        <p className="text-ink-3">{t('gone')}</p>
      )}
    </li>
  )
}
