'use client'
import { useQueries } from '@tanstack/react-query'
import { ListFilter } from 'lucide-react'
import { useFormatter, useTranslations } from 'use-intl'
import { NO_FILTERS, toDeskFilter } from '#components/kit/addresses/queue-search.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { useQueueFilter } from '../state/use-queue-filter.ts'
import type { useFilterParts } from '../views/filter/use-filter-parts.ts'

/** Names the filters, and offers to remove the one that excludes the most items; all of them if none does by itself. */
export function NothingMatches({ held, parts }: { held: number; parts: ReturnType<typeof useFilterParts> }) {
  const t = useTranslations('queue.nothing')
  const format = useFormatter()
  const trpc = useTRPC()
  const { search, zone, narrow } = useQueueFilter()
  const droppable = parts.flatMap(({ drop, dropLabel = '', value, id }) =>
    drop && id !== 'zone' ? [{ drop, dropLabel, value }] : [],
  )
  const matching = useQueries({
    queries: droppable.map(({ drop }) => trpc.review.matching.queryOptions(toDeskFilter({ ...search, ...drop }, zone))),
  })
  const counts = matching.map(({ data }) => data?.count ?? 0)
  const most = Math.max(0, ...counts)
  const best = most > 0 ? droppable[counts.indexOf(most)] : undefined
  const isLowerBound = matching[counts.indexOf(most)]?.data?.isLowerBound
  const areCounted = matching.every(({ isPending }) => !isPending)

  return (
    <EmptyState
      icon={<ListFilter />}
      title={t('noMatch', { held })}
      act={
        areCounted && (
          <Button onPress={() => narrow(best?.drop ?? NO_FILTERS)}>{best?.dropLabel ?? t('dropAll')}</Button>
        )
      }
    >
      {t('filteredBy', { filters: format.list(parts.map(({ lead, value }) => (lead ? `${lead} ${value}` : value))) })}{' '}
      {areCounted &&
        (best ? t(isLowerBound ? 'atLeastWithout' : 'without', { what: best.value, count: most }) : t('noneWithout'))}
    </EmptyState>
  )
}
