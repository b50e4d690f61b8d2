'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { isException } from '#components/kit/bulks/exceptions.ts'
import { newBulkId } from '#components/kit/bulks/new-bulk-id.ts'
import { subjectOf, toSeen } from '#components/kit/bulks/to-seen.ts'
import { useTRPC, useTRPCClient } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import type { BulkProgress } from '#server/modules/review/bulk/schema.ts'
import type { HeldOutcome } from '#server/modules/review/decisions/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { itemIdOf } from '../../state/item-id.ts'
import type { StartedBulk } from '../../state/store/queue-state.ts'
import { useQueueStore } from '../../state/store/queue-store.tsx'
import { useQueueCache } from '../../state/use-queue-cache.ts'
import type { BulkInput } from './bulk-desk-props.ts'
import { isLatestAct } from './latest-undoable.ts'

/** Up to so many items with the same text are decided at once, as one item is: a larger group is listed first. */
export const SMALL_GROUP = 5

/** A decision on a group that the server hasn't started yet. */
interface Unstarted {
  bulk: StartedBulk
  itemId: string
  isTakenBack: boolean
}

/**
 * Decides a small group without asking. Its items leave the list before the server says which of them can be decided together, so that the
 * keys after it are about the next item; those that can't come back.
 */
export function useDecideGroup({ lastAct, queue, selection, input, done }: BulkInput) {
  const t = useTranslations('many.said')
  const trpc = useTRPC()
  const client = useTRPCClient()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const cache = useQueueCache()
  const { dispatch, getState } = useQueueStore()
  const [unstarted] = useState(() => new Set<Unstarted>())

  function decide(outcome: HeldOutcome, item: QueueItem, { withFocus }: { withFocus: boolean }): void {
    const items = queue.single.filter(({ alike }) => alike?.key === item.alike?.key)
    const bulk = { bulkId: newBulkId(), at: Date.now(), input, items: items.map(toSeen) }
    dispatch({ type: 'bulkStarted', bulk })
    selection.moveTo(selection.nextWithout(new Set(items.map(itemIdOf))), { withFocus })
    void send(outcome, item, { bulk, itemId: itemIdOf(item), isTakenBack: false })
  }

  async function send(outcome: HeldOutcome, item: QueueItem, deciding: Unstarted): Promise<void> {
    const { bulk } = deciding
    const { bulkId } = bulk
    unstarted.add(deciding)
    try {
      const preview = await client.bulk.preview.mutate({ alike: [subjectOf(item)] })
      const items = preview.items.filter((one) => !isException(one)).map(toSeen)
      if (deciding.isTakenBack) return
      const count = preview.items.length
      if (count > SMALL_GROUP || items.length === 0) {
        putBack(bulk, count > SMALL_GROUP ? t('grown', { count }) : t('noneTogether'))
        return
      }
      dispatch({ type: 'bulkStarted', bulk: { ...bulk, items, isRestLeft: items.length < count } })
      const progress = await client.bulk.start.mutate({ bulkId, outcome, items })
      keep(deciding.isTakenBack ? await client.bulk.undo.mutate({ bulkId }) : progress)
      if (!deciding.isTakenBack) announce(t(`begun.${outcome}`, { count: items.length }))
    } catch {
      putBack(bulk, t('notBegun'))
      // It may have started nevertheless.
      void cache.readBulks()
    } finally {
      unstarted.delete(deciding)
    }
  }

  function keep(progress: BulkProgress): void {
    queryClient.setQueryData(trpc.bulk.recent.queryKey(), (before = []) => [progress, ...before])
  }

  function putBack({ bulkId }: StartedBulk, words: string): void {
    dispatch({ type: 'bulkEnded', bulkId })
    void cache.readListsAgain()
    done({ words })
  }

  /** Takes the latest one back that isn't started yet, if it was the last act. Returns whether it was. */
  function undoLatest(): boolean {
    const latest = [...unstarted].findLast(({ isTakenBack }) => !isTakenBack)
    if (!latest || !isLatestAct(latest.bulk.at, lastAct, getState().decisions, Date.now())) return false
    latest.isTakenBack = true
    dispatch({ type: 'bulkEnded', bulkId: latest.bulk.bulkId })
    selection.moveTo(latest.itemId)
    announce(t('takingBack'))
    return true
  }

  return { decide, undoLatest }
}
