'use client'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { subjectOf } from './item-id.ts'
import { itemOptions } from './queue-queries.ts'
import { useQueueFilter } from './use-queue-filter.ts'
import type { Selection } from './use-selection.ts'

/**
 * The item one is on: its row at once, all about it as soon as that is read. What is shown is what is decided on, so
 * where the row is newer than what was read, the row counts.
 */
export function useItem({ currentId, current }: Selection) {
  const trpc = useTRPC()
  const { view } = useQueueFilter().search
  const subject = currentId === undefined ? undefined : subjectOf(currentId)
  const { data, error, refetch } = useQuery(
    subject ? itemOptions(trpc, subject, view) : trpc.review.item.queryOptions(skipToken),
  )
  const read = data && data.item.version >= (current?.version ?? 0) ? data : undefined
  return { read, shown: read?.item ?? current, decided: read?.decided, error: data ? null : error, refetch }
}
export type Item = ReturnType<typeof useItem>
