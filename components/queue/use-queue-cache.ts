'use client'
import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import type { TRPCOptionsProxy } from '@trpc/tanstack-react-query'
import { useMemo } from 'react'
import type { QueueInput } from '#components/kit/addresses/queue-search.ts'
import { changeData } from '#components/trpc/change-data.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { QueueCounts, QueueItem, QueuePage, QueueView, Subject } from '#server/modules/review/queue/schema.ts'
import type { AppRouter } from '#server/trpc/root.ts'
import { arrivalsOptions, itemOptions, listOptions, type QueuePages } from './queue-queries.ts'
import { withItem } from './with-item.ts'
import { pageWithout, withoutItems } from './without-items.ts'

/** Updates to cached queries for a decision, before and after the server confirms it. */
export function useQueueCache() {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  return useMemo(() => makeQueueCache(trpc, queryClient), [trpc, queryClient])
}

function makeQueueCache(trpc: TRPCOptionsProxy<AppRouter>, queryClient: QueryClient) {
  const countsKey = trpc.review.counts.queryKey()
  const matchingKey = ({ order: _order, ...filter }: QueueInput) => trpc.review.matching.queryKey(filter)
  const changeList = (input: QueueInput, change: (list: QueuePages) => QueuePages) =>
    changeData(queryClient, { queryKey: listOptions(trpc, input).queryKey, exact: true }, change)

  return {
    /** Adds an item to the counts or removes it, immediately. */
    count(input: QueueInput, item: QueueItem, by: 1 | -1): void {
      // A response on its way doesn't include this change yet.
      void queryClient.cancelQueries({ queryKey: countsKey })
      queryClient.setQueryData(countsKey, (counts) => {
        if (!counts || input.view !== 'reported') return counts && recounted(counts, item, by)
        return { ...counts, reported: counts.reported + by }
      })
      queryClient.setQueryData(
        matchingKey(input),
        (matching) => matching && { ...matching, count: matching.count + by },
      )
    },

    /** Puts the item back in its position, as it is now. */
    putBack(input: QueueInput, item: QueueItem): void {
      changeList(input, (list) => withItem(list, item, input.order))
      queryClient.setQueryData(itemOptions(trpc, item, input.view).queryKey, (read) => {
        if (!read) return undefined
        const { decided: _decided, ...rest } = read
        return { ...rest, item, isWaiting: true }
      })
    },

    /** Removes items from this list; other lists are refetched when they are next shown. */
    take(input: QueueInput, gone: Subject[]): void {
      changeList(input, (list) => withoutItems(list, gone))
      // Otherwise they would count as new, as they are not in the list.
      const arrivals = arrivalsOptions(trpc, input)
      changeData<QueuePage>(queryClient, { queryKey: arrivals.queryKey, exact: true }, (page) =>
        pageWithout(page, gone),
      )
      queryClient.removeQueries({ ...trpc.review.queue.pathFilter(), type: 'inactive' })
      for (const subject of gone) this.expire(subject)
      this.recount()
    },

    /** Removes the item from every cached list whose view it has left. */
    drop(subject: Subject, hasLeft: (view: QueueView | undefined) => boolean): void {
      const predicate = ({ queryKey: [, asked] }: { queryKey: QueryKey }) => hasLeft((asked as Asked).input?.view)
      const lists = { ...trpc.review.queue.infiniteQueryFilter(), predicate }
      changeData<QueuePages>(queryClient, lists, (list) => withoutItems(list, [subject]))
      const arrivals = { ...trpc.review.queue.queryFilter(), predicate }
      changeData<QueuePage>(queryClient, arrivals, (page) => pageWithout(page, [subject]))
    },

    /** Invalidates the cached item: refetched immediately if it is shown, otherwise when it is opened. */
    expire(subject: Subject): void {
      const { subjectType, subjectId } = subject
      // In every view: query keys match by the fields they share.
      void queryClient.invalidateQueries(trpc.review.item.queryFilter({ subjectType, subjectId }))
    },

    /** Invalidates what was cached about an author, with any of their items. */
    forgetAuthor(): void {
      void queryClient.invalidateQueries(trpc.review.item.pathFilter())
    },

    /** Refetches all lists. */
    readListsAgain(): Promise<void> {
      this.recount()
      return queryClient.invalidateQueries(trpc.review.queue.pathFilter())
    },

    /** Refetches the item and shows it as it is now; undefined if it is no longer pending in this view. */
    async spaceAgain(input: QueueInput, subject: Subject): Promise<void> {
      const options = itemOptions(trpc, subject, input.view)
      const { item, isWaiting } = await queryClient.fetchQuery({ ...options, staleTime: 0 })
      const isHere =
        isWaiting && (input.view === 'reported' || (item.escalation !== undefined) === (input.view === 'escalated'))
      changeList(input, (list) => (isHere ? withItem(list, item, input.order) : withoutItems(list, [item])))
    },

    /** Refetches the exact counts once the last of several decisions has arrived. */
    recount(): void {
      if (queryClient.isMutating({ mutationKey: trpc.review.pathKey() }) > 1) return
      void queryClient.invalidateQueries({ queryKey: countsKey })
      void queryClient.invalidateQueries(trpc.review.matching.pathFilter())
    },
  }
}

/** The second part of a list's query key, as tRPC builds it. */
interface Asked {
  input?: Partial<QueueInput>
}

function recounted(counts: QueueCounts, { community }: QueueItem, by: 1 | -1): QueueCounts {
  return {
    ...counts,
    total: counts.total + by,
    communities: counts.communities.map((each) =>
      each.communityId === community?.communityId ? { ...each, held: each.held + by } : each,
    ),
  }
}
