'use client'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { TRPCOptionsProxy } from '@trpc/tanstack-react-query'
import { useMemo } from 'react'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { QueueCounts, QueueItem, Subject } from '#server/modules/review/schema.ts'
import type { AppRouter } from '#server/trpc/root.ts'
import { idOf } from './item-id.ts'
import { itemOptions, listOptions } from './queue-queries.ts'
import type { QueueInput } from './queue-search.ts'
import { withItem, withoutItems } from './with-item.ts'

/** What a decision changes of what the desk has read, before and after the server says so. */
export function useQueueCache() {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  return useMemo(() => makeQueueCache(trpc, queryClient), [trpc, queryClient])
}

function makeQueueCache(trpc: TRPCOptionsProxy<AppRouter>, queryClient: QueryClient) {
  const countsKey = trpc.review.counts.queryKey()
  const matchingKey = ({ order: _order, ...filter }: QueueInput) => trpc.review.matching.queryKey(filter)

  return {
    /** Counts an item in or out at once. */
    count(input: QueueInput, item: QueueItem, by: 1 | -1): void {
      // An answer on its way does not know of this yet.
      void queryClient.cancelQueries({ queryKey: countsKey })
      queryClient.setQueryData(countsKey, (counts) => counts && recounted(counts, item, by))
      queryClient.setQueryData(
        matchingKey(input),
        (matching) => matching && { ...matching, count: matching.count + by },
      )
    },

    /** Shows the item in its place again, as it is now. */
    putBack(input: QueueInput, item: QueueItem): void {
      queryClient.setQueryData(listOptions(trpc, input).queryKey, (list) => list && withItem(list, item, input.order))
      queryClient.setQueryData(itemOptions(trpc, item).queryKey, (read) => {
        if (!read) return undefined
        const { decided: _decided, ...rest } = read
        return { ...rest, item }
      })
    },

    /** Takes items that have left this list out of it; other lists are read anew when they are next shown. */
    take(input: QueueInput, gone: Subject[]): void {
      const ids = new Set(gone.map(idOf))
      queryClient.setQueryData(listOptions(trpc, input).queryKey, (list) => list && withoutItems(list, ids))
      queryClient.removeQueries({ ...trpc.review.queue.pathFilter(), type: 'inactive' })
      for (const subject of gone) void queryClient.invalidateQueries(itemOptions(trpc, subject))
      this.recount()
    },

    /** What was read of one item is no longer so. */
    forget(subject: Subject): void {
      void queryClient.invalidateQueries(itemOptions(trpc, subject))
    },

    /** What was read of an author, beside whichever of their items, is no longer so. */
    forgetAuthor(): void {
      void queryClient.invalidateQueries(trpc.review.item.pathFilter())
    },

    /** Reads all lists again. */
    readListsAgain(): Promise<void> {
      this.recount()
      return queryClient.invalidateQueries(trpc.review.queue.pathFilter())
    },

    /** Reads the item again, and shows it as it is now. */
    async readAgain(input: QueueInput, subject: QueueItem): Promise<void> {
      const { item } = await queryClient.fetchQuery({ ...itemOptions(trpc, subject), staleTime: 0 })
      queryClient.setQueryData(listOptions(trpc, input).queryKey, (list) => list && withItem(list, item, input.order))
    },

    /** Asks for the exact counts, once the last of several decisions has arrived. */
    recount(): void {
      if (queryClient.isMutating({ mutationKey: trpc.review.pathKey() }) > 1) return
      void queryClient.invalidateQueries({ queryKey: countsKey })
      void queryClient.invalidateQueries(trpc.review.matching.pathFilter())
    },
  }
}

function recounted(counts: QueueCounts, { community }: QueueItem, by: 1 | -1): QueueCounts {
  return {
    ...counts,
    total: counts.total + by,
    communities: counts.communities.map((each) =>
      each.communityId === community.communityId ? { ...each, held: each.held + by } : each,
    ),
  }
}
