'use client'
import { useInfiniteQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useFormatter, useTranslations } from 'use-intl'
import { toQueuePath } from '#components/kit/addresses/queue-search.ts'
import { toRulePath } from '#components/kit/addresses/rules-search.ts'
import { FoundText } from '#components/kit/review/found-text.tsx'
import { OutcomeWord } from '#components/kit/review/outcome.tsx'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import type { RecordedItem, RuleRecord } from '#server/modules/review/rule-records/schema.ts'
import type { Rule, RuleAction } from '#server/modules/rules/registry/schema.ts'
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
              <RecordedItemRow
                key={`${item.subjectType} ${item.subjectId}`}
                item={item}
                act={actOf(item) ?? action.type}
              />
            ))}
          </ul>
          <More list={read}>{t('more')}</More>
        </>
      )}
    </SettingsSection>
  )
}

type Act = Rule['action']['type']

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
function RecordedItemRow({ item, act, isOfSeveral = false }: RecordedItemRowProps) {
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

/** What the rules of a space rejected, whichever of them; not shown while there is nothing. */
export function RejectedSection({ communityId }: { communityId: string | null }) {
  const t = useTranslations('rules.rejected')
  const read = useInfiniteQuery(
    useTRPC().rules.rejected.infiniteQueryOptions({ communityId }, { getNextPageParam: ({ next }) => next }),
  )
  const items = read.data?.pages.flatMap((page) => page.items) ?? []
  if (items.length === 0 && !read.isError) return null
  return (
    <SettingsSection id="rejected" title={t('title')}>
      <p className="max-w-[68ch]">{t('lead')}</p>
      <QueryState query={read} />
      <ul aria-label={t('title')} className="mt-2 border-t border-line">
        {items.map((item) => (
          <RecordedItemRow
            key={`${item.ruleId} ${item.subjectType} ${item.subjectId}`}
            item={item}
            act="reject"
            isOfSeveral
          />
        ))}
      </ul>
      <More list={read}>{t('more')}</More>
    </SettingsSection>
  )
}

interface MoreProps {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }
  children: string
}

/** Reads the next page of a list, if there is one. */
function More({ list, children }: MoreProps) {
  if (!list.hasNextPage) return null
  return (
    <Button className="mt-2" isPending={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
      {children}
    </Button>
  )
}
