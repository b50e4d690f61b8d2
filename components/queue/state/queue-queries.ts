import type { InfiniteData } from '@tanstack/react-query'
import type { TRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { QueueInput } from '#components/kit/addresses/queue-search.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import type { ItemInput, ReviewItem } from '#server/modules/review/items/schema.ts'
import type { QueueView } from '#server/modules/review/queue/schema.ts'
import type { AppRouter } from '#server/trpc/root.ts'
import type { ReadPage } from './store/select-queue.ts'
import { withSameItems } from './with-same-items.ts'

type Trpc = TRPCOptionsProxy<AppRouter>

/** How often the desk polls for new items while it isn't live. */
export const LOOK_EVERY_MS = 15_000

/** How many rows after the current one are always there. */
export const READ_AHEAD = 2
/** How many are read at once when one of these is missing. */
export const READ_AHEAD_AT_ONCE = 4

/** Without `requestedAt` if the server rendered it. */
export type ReadItem = ReviewItem & { requestedAt?: number | undefined }
export type QueuePages = InfiniteData<ReadPage, string | null>

/** The list, page by page. It changes only through acts on this page, so that rows don't move by themselves. */
export function listOptions(trpc: Trpc, input: QueueInput & { limit?: number }) {
  const options = trpc.review.queue.infiniteQueryOptions(input, {
    getNextPageParam: ({ next }) => next,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    structuralSharing: (before, after) => withSameItems(before as QueuePages | undefined, after as QueuePages),
  })
  return { ...options, queryFn: withRequestTime(options.queryFn) }
}

/** Up to this many new items are counted; more are shown as "50+". */
export const ARRIVALS_SEEN = 50

/** The beginning of the list as it is now; the list itself stays unchanged. */
export function arrivalsOptions(trpc: Trpc, input: QueueInput) {
  const options = trpc.review.queue.queryOptions({ ...input, limit: ARRIVALS_SEEN })
  return { ...options, queryFn: withRequestTime(options.queryFn) }
}

/** Adds to what is read when it was requested, in the browser: what happened since then isn't in it. */
export function withRequestTime<Context, Read>(read: ((context: Context) => Read | Promise<Read>) | undefined) {
  return (
    read &&
    (async (context: Context): Promise<Read & { requestedAt?: number | undefined }> => {
      const requestedAt = typeof window === 'undefined' ? undefined : performance.now()
      return { ...(await read(context)), requestedAt }
    })
  )
}

/** An item with everything needed to judge it; refetched after a while, as others may have decided it. */
export function itemOptions(trpc: Trpc, subject: Subject, view: QueueView | undefined) {
  const options = trpc.review.item.queryOptions(itemInput(subject, view), { staleTime: 60_000 })
  return { ...options, queryFn: withRequestTime(options.queryFn) }
}

export function itemInput({ subjectType, subjectId }: Subject, view: QueueView | undefined): ItemInput {
  return {
    subjectType,
    subjectId,
    ...(view === 'reported' && { isReported: true }),
    ...(view === 'escalated' && { isEscalated: true }),
    ...(view === 'mine' && { isMine: true }),
  }
}
