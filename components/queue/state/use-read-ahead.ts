'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { afterPaint } from '#components/ui/after-paint.ts'
import { useStableCallback } from '#components/ui/use-stable-callback.ts'
import type { QueueItem, QueueView } from '#server/modules/review/queue/schema.ts'
import { itemIdOf } from './item-id.ts'
import { itemOptions, READ_AHEAD, READ_AHEAD_AT_ONCE } from './queue-queries.ts'

/** Prefetches the next items, several in one request, so that one decision leads to the next without waiting. */
export function useReadAhead(rows: QueueItem[], index: number, view: QueueView | undefined): void {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const missingAhead = useMissingAhead(rows, index, view)
  const ahead = rows
    .slice(index + 1, index + 1 + READ_AHEAD)
    .map(itemIdOf)
    .join('\n')

  // biome-ignore lint/correctness/useExhaustiveDependencies: the next items may have changed
  useEffect(() => {
    async function readAhead(): Promise<void> {
      await afterPaint()
      for (const item of missingAhead(READ_AHEAD)) void queryClient.prefetchQuery(itemOptions(trpc, item, view))
    }
    void readAhead()
  }, [ahead, view, trpc, queryClient, missingAhead])
}

/**
 * The next items to read: none while enough of them are there, otherwise all that are missing of a longer stretch. An item that is being
 * read counts as there.
 */
export function useMissingAhead(rows: QueueItem[], index: number, view: QueueView | undefined) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()

  return useStableCallback((enough: number): QueueItem[] => {
    const isThere = (item: QueueItem) => {
      const state = queryClient.getQueryState(itemOptions(trpc, item, view).queryKey)
      return state?.fetchStatus === 'fetching' || (state?.data !== undefined && !state.isInvalidated)
    }
    const ahead = rows.slice(index + 1, index + 1 + READ_AHEAD_AT_ONCE)
    return ahead.slice(0, enough).every(isThere) ? [] : ahead.filter((item) => !isThere(item))
  })
}
