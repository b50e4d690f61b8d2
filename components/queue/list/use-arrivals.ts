'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useFallbackInterval } from '#components/live/live-context.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { arrivalsOptions, LOOK_EVERY_MS, listOptions } from '../state/queue-queries.ts'
import { arrivals } from '../state/store/select-queue.ts'
import type { Queue } from '../state/use-queue.ts'

/**
 * How many items were held, or became more urgent than what is listed, since the list was read. They are added on request. Takes the filters
 * from the list: the page may have newer ones already, which these rows don't match.
 */
export function useArrivals({ input, list, listed, single }: Queue) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const refetchInterval = useFallbackInterval(LOOK_EVERY_MS)
  const first = list.data?.pages[0]
  const { data: latest } = useQuery({
    ...arrivalsOptions(trpc, input),
    enabled: input.order !== 'oldest' && first !== undefined,
    initialData: first,
    initialDataUpdatedAt: list.dataUpdatedAt,
    staleTime: LOOK_EVERY_MS,
    refetchInterval,
  })
  return {
    count: arrivals(input, listed, single, latest).size,
    show: () => queryClient.fetchInfiniteQuery({ ...listOptions(trpc, input), staleTime: 0 }),
  }
}
