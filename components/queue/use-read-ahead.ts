'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { QueueItem } from '#server/modules/review/schema.ts'
import { itemOptions, READ_AHEAD } from './queue-queries.ts'

/** Reads the next comments before they are opened, so that one decision leads to the next without waiting. */
export function useReadAhead(rows: QueueItem[], index: number): void {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const ahead = rows
    .slice(index + 1, index + 1 + READ_AHEAD)
    .map(({ commentId }) => commentId)
    .join('\n')

  useEffect(() => {
    for (const commentId of ahead.split('\n'))
      if (commentId) void queryClient.prefetchQuery(itemOptions(trpc, commentId))
  }, [ahead, trpc, queryClient])
}
