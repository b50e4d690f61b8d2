'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNow } from '#components/i18n/now.tsx'
import { dayOf } from '#components/kit/filters/written-between.ts'
import { useZone } from '#components/kit/zones/use-zone.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useQueryStates } from '#components/ui/search-params/use-query-states.ts'
import { INSIGHTS_SEARCH, toInsightsInput } from './insights-search.ts'

const WAITING_EVERY_MS = 60_000

/** The input from the URL, and its figures. */
export function useInsights() {
  const trpc = useTRPC()
  const [search, setSearch] = useQueryStates(INSIGHTS_SEARCH)
  const { zone } = useZone()
  const input = toInsightsInput(search, zone, dayOf(useNow(), zone))
  const { communityId } = input
  const insights = useQuery(trpc.insights.read.queryOptions(input, { placeholderData: keepPreviousData }))
  const waiting = useQuery(
    trpc.insights.waiting.queryOptions(communityId ? { communityId } : {}, {
      placeholderData: keepPreviousData,
      refetchInterval: WAITING_EVERY_MS,
    }),
  )
  const patterns = useQuery(trpc.insights.patterns.queryOptions(input, { placeholderData: keepPreviousData }))
  return { input, setSearch, insights, waiting, patterns }
}
