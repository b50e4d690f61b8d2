'use client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { QueueInput } from '#components/kit/addresses/queue-search.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { foldedRows, itemsBefore } from './folded-rows.ts'
import { listOptions } from './queue-queries.ts'
import type { QueueState } from './store/queue-state.ts'
import { listedItems, visibleRows } from './store/select-queue.ts'

/** The list, and the rows that are pending in it: one for each group with the same text; `single` has all of them. */
export function useQueue(input: QueueInput, { decisions, skipped, bulks, changes, separate }: QueueState) {
  const list = useInfiniteQuery(listOptions(useTRPC(), input))
  const { data } = list
  const listed = useMemo(() => listedItems(data?.pages ?? [], input, changes), [data, input, changes])
  const single = useMemo(() => visibleRows(listed, { decisions, skipped, bulks }), [listed, decisions, skipped, bulks])
  const rows = useMemo(
    () => foldedRows(single, data?.pages.flatMap(({ items }) => items) ?? [], { separate, skipped }),
    [single, data, separate, skipped],
  )
  const { order: _order, communityId: _communityId, kind: _kind, ...narrowing } = input
  const isFiltered = Object.keys(narrowing).length > 0
  const before = useMemo(() => itemsBefore(rows, single, isFiltered), [rows, single, isFiltered])
  return { input, list, listed, rows, before, single, skipped: skipped.size, narrowedTo: data?.pages[0]?.narrowedTo }
}
export type Queue = ReturnType<typeof useQueue>
