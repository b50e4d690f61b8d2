'use client'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { TRPCOptionsProxy } from '@trpc/tanstack-react-query'
import { useMemo } from 'react'
import type { QueueInput } from '#components/kit/addresses/queue-search.ts'
import { toRequestError } from '#components/trpc/request-error.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import type { OwnDay } from '#server/modules/review/insights/schema.ts'
import type { QueueCounts, QueueItem } from '#server/modules/review/queue/schema.ts'
import type { AppRouter } from '#server/trpc/root.ts'
import { itemIdOf } from './item-id.ts'
import { arrivalsOptions, itemOptions, type QueuePages, type ReadItem } from './queue-queries.ts'
import { type QueueStore, useQueueStore } from './store/queue-store.tsx'
import type { ReadPage } from './store/select-queue.ts'

/** Updates to the lists and to cached queries, before and after the server confirms them. */
export function useQueueCache() {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const store = useQueueStore()
  return useMemo(() => makeQueueCache(trpc, queryClient, store), [trpc, queryClient, store])
}

function makeQueueCache(
  trpc: TRPCOptionsProxy<AppRouter>,
  queryClient: QueryClient,
  { dispatch, recount }: QueueStore,
) {
  const countsKey = trpc.review.counts.queryKey()
  const matchingKey = ({ order: _order, ...filter }: QueueInput) => trpc.review.matching.queryKey(filter)
  const at = () => performance.now()
  const isMine = ({ claim }: QueueItem) =>
    claim !== undefined && claim.by.userId === queryClient.getQueryData(trpc.access.me.queryKey())?.userId
  const sending = () => queryClient.isMutating({ mutationKey: trpc.review.pathKey() })

  function readCounts(): void {
    recount.done()
    void queryClient.invalidateQueries({ queryKey: countsKey })
    void queryClient.invalidateQueries(trpc.review.matching.pathFilter())
    void queryClient.invalidateQueries(trpc.review.ownDay.pathFilter())
  }

  return {
    /** Adds an item to the counts or removes it, immediately. */
    count(input: QueueInput, item: QueueItem, by: 1 | -1): void {
      // A response on its way doesn't include this change yet.
      void queryClient.cancelQueries({ queryKey: countsKey })
      recount.changed()
      queryClient.setQueryData(countsKey, (counts) => counts && recounted(counts, item, { by, isMine: isMine(item) }))
      queryClient.setQueryData(
        matchingKey(input),
        (matching) => matching && { ...matching, count: matching.count + by },
      )
      queryClient.setQueriesData<OwnDay>(
        trpc.review.ownDay.pathFilter(),
        (day) => day && { ...day, decided: Math.max(0, day.decided - by) },
      )
    },

    /** Puts the item back in its position, as it is now. */
    putBack(input: QueueInput, item: QueueItem): void {
      dispatch({ type: 'itemRead', input, item, at: at() })
      const { queryKey } = itemOptions(trpc, item, input.view)
      // A response on its way may still contain the decision.
      void queryClient.cancelQueries({ queryKey })
      queryClient.setQueryData(queryKey, (read) => {
        if (!read) return undefined
        const { decided: _decided, ...rest } = read
        return { ...rest, item, isWaiting: true }
      })
    },

    /** Removes items from this list; other lists are refetched when they are next shown. */
    take(input: QueueInput, items: Subject[]): void {
      dispatch({ type: 'itemsLeft', view: input.view, items, at: at() })
      queryClient.removeQueries({ ...trpc.review.queue.pathFilter(), type: 'inactive' })
      for (const subject of items) this.expire(subject)
      this.recount()
    },

    /** Shows items of an undone bulk as soon as the list is read again, without waiting for the events about them. */
    giveBack(input: QueueInput, items: Subject[]): void {
      dispatch({ type: 'itemsReturned', view: input.view, items, at: at() })
    },

    /** Whether a cached list contains the item, or is being fetched and may contain it. */
    isListed(itemId: string): boolean {
      const contains = ({ items }: ReadPage) => items.some((item) => itemIdOf(item) === itemId)
      const lists = queryClient.getQueryCache().findAll(trpc.review.queue.pathFilter())
      return lists.some(({ state }) => {
        const list = state.data as QueuePages | ReadPage | undefined
        if (state.fetchStatus === 'fetching') return true
        return list !== undefined && ('pages' in list ? list.pages.some(contains) : contains(list))
      })
    },

    /** Invalidates the cached item: refetched immediately if it is shown, otherwise when it is opened. */
    expire(subject: Subject): void {
      const { subjectType, subjectId } = subject
      // In every view: query keys match by the fields they share.
      void queryClient.invalidateQueries(trpc.review.item.queryFilter({ subjectType, subjectId }))
    },

    /** Invalidates what was cached about an author, with any of their items; resolves once the item that is shown is read again. */
    forgetAuthor(): Promise<void> {
      return queryClient.invalidateQueries(trpc.review.item.pathFilter())
    },

    /** Looks for new items. */
    readArrivals(input: QueueInput): void {
      void queryClient.invalidateQueries(arrivalsOptions(trpc, input))
    },

    /** Reads the bulk actions again; one that isn't finished is then followed. */
    readBulks(): Promise<void> {
      return queryClient.invalidateQueries(trpc.bulk.recent.pathFilter())
    },

    /** Refetches all lists. */
    readListsAgain(): Promise<void> {
      this.recount()
      return queryClient.invalidateQueries(trpc.review.queue.pathFilter())
    },

    /** Refetches the item and shows it as it is now; removes it if it is no longer pending in this view. */
    async readItemAgain(input: QueueInput, subject: Subject): Promise<void> {
      const options = itemOptions(trpc, subject, input.view)
      const read: ReadItem = await queryClient.fetchQuery({ ...options, staleTime: 0 }).catch((error: unknown) => {
        const isGone = toRequestError(error).code === 'NOT_FOUND'
        if (isGone) dispatch({ type: 'itemsLeft', view: input.view, items: [subject], at: at() })
        throw error
      })
      const { item, isWaiting, requestedAt } = read
      const isInView = {
        waiting: item.escalation === undefined,
        mine: isMine(item),
        escalated: item.escalation !== undefined,
        reported: true,
      }[input.view ?? 'waiting']
      const isHere = isWaiting && isInView
      if (isHere) dispatch({ type: 'itemRead', input, item, at: at(), requestedAt })
      else dispatch({ type: 'itemsLeft', view: input.view, items: [item], at: at() })
    },

    /** Shows who has claimed the item now, or all items of its group. Other lists are refetched when they are next shown. */
    async claimsChanged(input: QueueInput, subject: Subject, { isGroup }: { isGroup: boolean }): Promise<void> {
      queryClient.removeQueries({ ...trpc.review.queue.pathFilter(), type: 'inactive' })
      if (isGroup) void this.forgetAuthor()
      await (isGroup ? this.readListsAgain() : this.readItemAgain(input, subject)).catch(() => undefined)
      this.recount()
    },

    /** Refetches the exact counts once the last of several decisions has arrived. */
    recount(): void {
      if (sending() <= 1) readCounts()
    },

    /** Refetches the exact counts after a change that `count` made here: with the next look at an item, or a few seconds after the last change. */
    recountLater(): void {
      // A decision that is still being sent asks again once it has arrived.
      recount.ask(() => sending() === 0 && readCounts())
    },
  }
}

/** An escalated report counts as reported too; an escalated item no longer counts as held. */
function recounted(before: QueueCounts, item: QueueItem, { by, isMine }: { by: 1 | -1; isMine: boolean }): QueueCounts {
  const counts = isMine ? { ...before, mine: before.mine + by } : before
  const escalated = counts.escalated + (item.escalation ? by : 0)
  if (item.kind === 'reported') return { ...counts, escalated, reported: counts.reported + by }
  if (item.escalation) return { ...counts, escalated }
  return {
    ...counts,
    total: counts.total + by,
    communities: counts.communities.map((each) =>
      each.communityId === item.community?.communityId ? { ...each, held: each.held + by } : each,
    ),
  }
}
