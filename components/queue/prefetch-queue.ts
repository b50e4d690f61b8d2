import {
  isWhole,
  ofItsView,
  type QueueSearch,
  toDeskFilter,
  toQueueInput,
} from '#components/kit/addresses/queue-search.ts'
import { getQueryClient } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'
import { itemIdOf, subjectOf } from './item-id.ts'
import { itemOptions, listOptions, READ_AHEAD } from './queue-queries.ts'
import { startOfToday } from './start-of-today.ts'

/** The rows in the HTML: the first screen, and as many below it that the browser doesn't fetch more on load. It fetches whole pages. */
const FIRST_ROWS = 30

/** Prefetches everything the first paint of the queue shows, so that the browser requests nothing on load. */
export async function prefetchQueue(asked: QueueSearch, ownZone: string): Promise<void> {
  const search = ofItsView(asked)
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
    !isWhole(search) && queryClient.prefetchQuery(trpc.review.matching.queryOptions(toDeskFilter(search, zone))),
  ])

  const rows = queryClient.getQueryData(list.queryKey)?.pages[0]?.items.map(itemIdOf) ?? []
  const opened = search.item ?? rows[0]
  const ahead = rows.slice(rows.indexOf(opened ?? '') + 1).slice(0, READ_AHEAD)
  const read = opened ? [opened, ...ahead] : ahead
  const subjects = read.flatMap((itemId) => subjectOf(itemId) ?? [])
  await Promise.all(subjects.map((subject) => queryClient.prefetchQuery(itemOptions(trpc, subject, search.view))))
}
