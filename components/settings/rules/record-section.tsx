'use client'
import { useInfiniteQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useFormatter, useTranslations } from 'use-intl'
import { toQueuePath } from '#components/kit/addresses/queue-search.ts'
import { FoundText } from '#components/kit/review/found-text.tsx'
import { OutcomeWord } from '#components/kit/review/outcome.tsx'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import type { RecordedItem, RuleRecord } from '#server/modules/review/rule-records/schema.ts'
import type { Rule } from '#server/modules/rules/registry/schema.ts'
import { SettingsSection } from '../settings-page.tsx'
import { Figure, Figures } from './figures.tsx'

/** What the rule did, and would have done, and what people decided on it. */
export function RecordSection({ rule: { ruleId, versions, action } }: { rule: Rule }) {
  const t = useTranslations('rules.record')
  const isUsed = versions.some(({ usedAt }) => usedAt !== undefined)
  const read = useInfiniteQuery({
    ...useTRPC().rules.record.infiniteQueryOptions({ ruleId }, { getNextPageParam: ({ next }) => next }),
    enabled: isUsed,
  })
  if (!isUsed) return null
  /** Unknown for versions beyond those that are listed. */
  const actOf = (item: RecordedItem) => versions.find(({ version }) => version === item.version)?.action.type
  const counts = read.data?.pages[0]?.counts
  const items = read.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <SettingsSection id="record" title={t('title')}>
      <QueryState query={read} />
      {counts && items.length === 0 && <p className="mt-2">{t('none')}</p>}
      {counts && items.length > 0 && (
        <>
          <Counts counts={counts} act={action.type} />
          <h3 className="mt-4 font-firm text-ink">{t('latest')}</h3>
          <ul aria-label={t('latest')}>
            {items.map((item) => (
              <Item key={`${item.subjectType} ${item.subjectId}`} item={item} act={actOf(item) ?? action.type} />
            ))}
          </ul>
          {read.hasNextPage && (
            <Button className="mt-2" isPending={read.isFetchingNextPage} onPress={() => void read.fetchNextPage()}>
              {t('more')}
            </Button>
          )}
        </>
      )}
    </SettingsSection>
  )
}

type Act = Rule['action']['type']

/** What people decide on reports. */
const ON_REPORTS = { approved: 'dismissed', rejected: 'deleted' } as const
const REPORTED = { view: 'reported' as const }

function Counts({ counts, act }: { counts: NonNullable<RuleRecord['counts']>; act: Act }) {
  const t = useTranslations('rules.record')
  const format = useFormatter()
  return (
    <>
      <Figures>
        {(['live', 'shadow'] as const).map((state) => {
          const { items, rejected, approved } = counts[state]
          return (
            items > 0 && (
              <Figure key={state} name={t(state, { act })} value={format.number(items)}>
                {act === 'reject' && state === 'live'
                  ? t('restored', { approved, open: items - approved })
                  : t('decided', { act, rejected, approved, open: items - rejected - approved })}
              </Figure>
            )
          )
        })}
      </Figures>
      {counts.isPartial && <p className="mt-1 text-small text-ink-3">{t('isPartial')}</p>}
    </>
  )
}

function Item({ item, act }: { item: RecordedItem; act: Act }) {
  const { subjectType, subjectId, isLive, version, at, outcome, content } = item
  const t = useTranslations('rules.record')
  const times = useTimes()
  return (
    <li className="border-b border-line py-2">
      <p className="flex flex-wrap items-baseline gap-x-2 text-small text-ink-3">
        {content && <bdi className="font-firm text-ink">{content.authorName}</bdi>}
        <span>{t(isLive ? 'heldIt' : 'wouldHold', { act })}</span>
        <time dateTime={at}>{times.exact(at)}</time>
        <span>{t('inVersion', { version })}</span>
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
