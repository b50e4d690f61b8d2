'use client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import type { RecordedItem, RuleRecord } from '#server/modules/review/rule-records/schema.ts'
import type { Rule } from '#server/modules/rules/registry/schema.ts'
import { SettingsSection } from '../settings-page.tsx'
import { Figure, Figures } from './figures.tsx'
import { RecordedItemRow } from './recorded-item-row.tsx'

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
