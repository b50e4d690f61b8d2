'use client'
import { useQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { SavedView } from '#server/modules/review/views/schema.ts'
import { useQueueFilter } from '../state/use-queue-filter.ts'
import { matchesView } from './saved-search.ts'
import { useTotals } from './use-totals.ts'

/** Views are counted by searching, so less often than the queue itself. */
const COUNTED_EVERY_MS = 60_000

/** How many items a saved view contains, as text: the open one's count changes with each decision, the others' every minute. */
export function useViewCounts(views: SavedView[]): (view: SavedView) => string | undefined {
  const t = useTranslations('views')
  const format = useFormatter()
  const { search } = useQueueFilter()
  const totals = useTotals()
  const counts = useQuery(
    useTRPC().views.counts.queryOptions(undefined, {
      enabled: views.length > 0,
      staleTime: COUNTED_EVERY_MS,
      refetchInterval: COUNTED_EVERY_MS,
    }),
  ).data

  return (view) => {
    const isOpen = search.savedView === view.viewId && matchesView(search, view)
    if (isOpen && totals?.matching !== undefined && !totals.isLowerBound) return format.number(totals.matching)
    const counted = counts?.find(({ viewId }) => viewId === view.viewId)
    return counted && (counted.isLowerBound ? t('atLeast', { count: counted.count }) : format.number(counted.count))
  }
}
