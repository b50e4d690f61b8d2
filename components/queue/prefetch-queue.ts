import {
  isNarrowed,
  type QueueSearch,
  toDeskFilter,
  toQueueInput,
  withoutForeignFilters,
} from '#components/kit/addresses/queue-search.ts'
import { getQueryClient } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'
import { subjectOf } from './state/item-id.ts'
import { itemOptions, listOptions } from './state/queue-queries.ts'
import { startOfToday } from './state/start-of-today.ts'

/** The rows in the HTML: the first screen. The browser fetches the next, a whole page, and the items after the open one. */
const FIRST_ROWS = 11

/** Prefetches everything the first paint of the queue shows. */
export async function prefetchQueue(asked: QueueSearch, ownZone: string): Promise<void> {
  const search = withoutForeignFilters(asked)
  const queryClient = getQueryClient()
  const zone = search.timeZone ?? ownZone
  const input = toQueueInput(search, zone)
  const list = listOptions(trpc, input)
  const { queryFn } = listOptions(trpc, { ...input, limit: FIRST_ROWS })

  // Read first: every later event arrives over the live stream, so that none is missed.
  await queryClient.prefetchQuery(trpc.live.position.queryOptions())
  await Promise.all([
    queryClient.prefetchInfiniteQuery({ ...list, queryFn }),
    queryClient.prefetchQuery(trpc.bulk.recent.queryOptions()),
    queryClient.prefetchQuery(trpc.review.ownDay.queryOptions({ since: startOfToday(new Date(), ownZone) })),
    isNarrowed(search) && queryClient.prefetchQuery(trpc.review.matching.queryOptions(toDeskFilter(search, zone))),
  ])

  const [first] = queryClient.getQueryData(list.queryKey)?.pages[0]?.items ?? []
  const opened = search.item ? subjectOf(search.item) : first
  if (opened) await queryClient.prefetchQuery(itemOptions(trpc, opened, search.view))
}
