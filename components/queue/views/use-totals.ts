'use client'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { isNarrowed, toDeskFilter } from '#components/kit/addresses/queue-search.ts'
import { useFallbackInterval } from '#components/live/live-context.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { QueueCounts, QueueView } from '#server/modules/review/queue/schema.ts'
import { LOOK_EVERY_MS } from '../state/queue-queries.ts'
import { useQueueFilter } from '../state/use-queue-filter.ts'

export interface Totals {
  /** The number of held, escalated or reported items in everything the person reviews. */
  held: number
  /** How many of these match the filters, once known. */
  matching: number | undefined
  /** Whether more items may match. */
  isLowerBound: boolean
}

export function heldIn({ total, mine, escalated, reported }: QueueCounts, view: QueueView): number {
  return { waiting: total, mine, escalated, reported }[view]
}

/** Exact counts; undefined until they are known. */
export function useTotals(): Totals | undefined {
  const trpc = useTRPC()
  const { search, zone } = useQueueFilter()
  const refetchInterval = useFallbackInterval(LOOK_EVERY_MS)
  const counts = useQuery(trpc.review.counts.queryOptions(undefined, { refetchInterval })).data
  const matching = useQuery(
    trpc.review.matching.queryOptions(toDeskFilter(search, zone), {
      enabled: isNarrowed(search),
      refetchInterval,
    }),
  ).data

  return useMemo(() => {
    if (!counts) return undefined
    if (isNarrowed(search))
      return {
        held: heldIn(counts, search.view),
        matching: matching?.count,
        isLowerBound: matching?.isLowerBound ?? false,
      }
    const community = counts.communities.find(({ communityId }) => communityId === search.communityId)
    return {
      held: counts.total,
      matching: search.communityId ? (community?.held ?? 0) : counts.total,
      isLowerBound: false,
    }
  }, [counts, matching, search])
}
