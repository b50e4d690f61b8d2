'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { QueueItem } from '#server/modules/review/schema.ts'
import { idOf } from './item-id.ts'
import { LOOK_EVERY_MS, listOptions } from './queue-queries.ts'
import type { QueueInput } from './queue-search.ts'
import type { Queue } from './use-queue.ts'

/** How many new ones are counted: more is "50+". */
export const ARRIVALS_SEEN = 50

/** What has been held since the list was read. It waits until asked for; oldest first it comes at the end by itself. */
export function useArrivals(input: QueueInput, { list }: Queue): { count: number; show: () => Promise<unknown> } {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const first = list.data?.pages[0]
  const { data: latest } = useQuery(
    trpc.review.queue.queryOptions(
      { ...input, limit: ARRIVALS_SEEN },
      {
        enabled: input.order === 'newest' && first !== undefined,
        initialData: first,
        initialDataUpdatedAt: list.dataUpdatedAt,
        staleTime: LOOK_EVERY_MS,
        refetchInterval: LOOK_EVERY_MS,
      },
    ),
  )

  const known = new Set(list.data?.pages.flatMap(({ items }) => items).map(idOf))
  const newest = first?.items[0]?.heldAt ?? ''
  const isNew = (item: QueueItem) => !known.has(idOf(item)) && item.heldAt >= newest

  return {
    count: input.order === 'newest' && first ? (latest?.items.filter(isNew).length ?? 0) : 0,
    show: () => queryClient.fetchInfiniteQuery({ ...listOptions(trpc, input), staleTime: 0 }),
  }
}
