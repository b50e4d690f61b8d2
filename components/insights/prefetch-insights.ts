import { dayOf } from '#components/kit/filters/written-between.ts'
import { readOwnPreferences } from '#components/preferences/own-preferences.ts'
import { getQueryClient } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'
import { type InsightsSearch, toInsightsInput } from './insights-search.ts'

/** Prefetches the first paint of the insights. */
export async function prefetchInsights(search: InsightsSearch): Promise<void> {
  const queryClient = getQueryClient()
  const { zone: ownZone = 'UTC' } = await readOwnPreferences()
  const zone = search.timeZone ?? ownZone
  const input = toInsightsInput(search, zone, dayOf(new Date(), zone))
  const { communityId } = input
  await Promise.all([
    queryClient.prefetchQuery(trpc.insights.read.queryOptions(input)),
    queryClient.prefetchQuery(trpc.insights.waiting.queryOptions(communityId ? { communityId } : {})),
  ])
}
