'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { afterPaint } from '#components/ui/after-paint.ts'
import type { QueueItem, QueueView } from '#server/modules/review/queue/schema.ts'
import { itemIdOf, subjectOf } from './item-id.ts'
import { itemOptions, READ_AHEAD } from './queue-queries.ts'

/** Prefetches the next items, so that one decision leads to the next without waiting. */
export function useReadAhead(rows: QueueItem[], index: number, view: QueueView | undefined): void {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const ahead = rows
    .slice(index + 1, index + 1 + READ_AHEAD)
    .map(itemIdOf)
    .join('\n')

  useEffect(() => {
    async function readAhead(): Promise<void> {
      await afterPaint()
      for (const itemId of ahead.split('\n')) {
        const subject = subjectOf(itemId)
        if (subject) void queryClient.prefetchQuery(itemOptions(trpc, subject, view))
      }
    }
    void readAhead()
  }, [ahead, view, trpc, queryClient])
}
