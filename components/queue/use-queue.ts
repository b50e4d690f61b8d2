'use client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { QueueInput } from '#components/kit/addresses/queue-search.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { listOptions } from './queue-queries.ts'
import type { QueueState } from './store/queue-state.ts'
import { listedItems, visibleRows } from './store/select-queue.ts'

/** The list, and the rows that are pending in it. */
export function useQueue(input: QueueInput, { decisions, skipped, bulks, changes }: QueueState) {
  const list = useInfiniteQuery(listOptions(useTRPC(), input))
  const { data } = list
  const listed = useMemo(() => listedItems(data?.pages ?? [], input, changes), [data, input, changes])
  const rows = useMemo(() => visibleRows(listed, { decisions, skipped, bulks }), [listed, decisions, skipped, bulks])
  return { input, list, listed, rows, skipped: skipped.size, narrowedTo: data?.pages[0]?.narrowedTo }
}
export type Queue = ReturnType<typeof useQueue>
