'use client'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { subjectOf } from './item-id.ts'
import { itemOptions } from './queue-queries.ts'
import type { Decision } from './store/queue-state.ts'
import { isBeingUndone } from './store/select-queue.ts'
import { useQueueFilter } from './use-queue-filter.ts'
import type { Selection } from './use-selection.ts'

/**
 * The current item: its row immediately, the full item once it is loaded. What is shown is what is decided, so a row newer than the loaded
 * item takes precedence; so does the row while a decision of this page is being undone: what is read at that time may still be decided.
 */
export function useItem({ currentId, current }: Selection, decisions: Decision[]) {
  const trpc = useTRPC()
  const { view } = useQueueFilter().search
  const subject = currentId === undefined ? undefined : subjectOf(currentId)
  const { data, error, failureReason, refetch } = useQuery(
    subject ? itemOptions(trpc, subject, view) : trpc.review.item.queryOptions(skipToken),
  )
  const read = data && data.item.version >= (current?.version ?? 0) ? data : undefined
  const isOutdated = read?.decided !== undefined && isBeingUndone(decisions, currentId)
  const [shown, decided] = isOutdated ? [current ?? read.item] : [read?.item ?? current, read?.decided]
  return { read, shown, decided, error: data ? null : error, unread: data ? null : failureReason, refetch }
}
export type Item = ReturnType<typeof useItem>
