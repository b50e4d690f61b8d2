'use client'
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import type { QueueInput } from '#components/kit/addresses/queue-search.ts'
import { useLiveMessages } from '#components/live/live-context.tsx'
import { useAnnounce } from '#components/ui/announcer.tsx'
import type { LiveEvent } from '#server/modules/live/schema.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { changeOf } from '../../state/change-of.ts'
import { itemIdOf, subjectOf } from '../../state/item-id.ts'
import type { Decision } from '../../state/store/queue-state.ts'
import { useQueueStore } from '../../state/store/queue-store.tsx'
import { isBeingUndone } from '../../state/store/select-queue.ts'
import { useQueueCache } from '../../state/use-queue-cache.ts'
import type { Selection } from '../../state/use-selection.ts'
import { useNamedItems } from './use-named-items.ts'
import { useThrottled } from './use-throttled.ts'

const RECOUNT_EVERY_MS = 2_000
const READ_ARRIVALS_EVERY_MS = 500

/** Applies live events to the list, the selection, and the counts, and refetches what they name. */
export function useLiveQueue(input: QueueInput, rows: Subject[], { currentId }: Selection): void {
  const t = useTranslations('bulk')
  const announce = useAnnounce()
  const cache = useQueueCache()
  const { dispatch, getState } = useQueueStore()
  const recount = useThrottled(RECOUNT_EVERY_MS, () => cache.recount())
  const readArrivals = useThrottled(READ_ARRIVALS_EVERY_MS, () => {
    // Claimed items have been held for a while: they aren't at the newest end of the list.
    if (input.view === 'mine') void cache.readListsAgain()
    else cache.readArrivals(input)
  })
  const readAgain = useNamedItems(input)

  useLiveMessages((message) => {
    if (message.kind !== 'event') return
    const { name, subjectType, subjectId } = message
    const hasLeft = changeOf(name, input.view) === 'left'
    if (!wasMadeHere(getState().decisions, name, `${subjectType}:${subjectId}`)) recount()
    if (mayArrive(input, message)) readArrivals()

    const itemId = `${subjectType}:${subjectId}`
    const subject = subjectOf(itemId)
    if (!subject) return
    const { left } = getState().selected
    const isRow = rows.some((row) => itemIdOf(row) === itemId)
    const shownId = isRow ? currentId : undefined
    const at = performance.now()
    dispatch({ type: 'published', name, itemId, isListed: cache.isListed(itemId), input, shownId, at })
    const leftNow = getState().selected.left
    if (leftNow > left) announce(t('left', { count: leftNow }))

    if (isRow && !hasLeft && !isBeingUndone(getState().decisions, itemId)) readAgain(name, subject)
    cache.expire(subject)
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: an item decided by somebody else leaves when another one becomes current
  useEffect(() => () => dispatch({ type: 'currentChanged' }), [currentId, dispatch])
}

/** Whether an event may add an item to the list. */
function mayArrive({ view, communityId }: QueueInput, { name, communityId: of }: LiveEvent): boolean {
  const change = changeOf(name, view)
  const isOfView = view === 'mine' ? change === 'came' : change !== 'left'
  return isOfView && (!communityId || communityId === of)
}

/** The event of a decision may arrive before its answer. */
const MADE: Decision['step'][] = ['sending', 'held', 'final']

/** Whether this page made the change, and has counted it. */
function wasMadeHere(decisions: Decision[], name: string, itemId: string): boolean {
  return decisions.some(
    ({ item, step, input }) =>
      itemIdOf(item) === itemId && MADE.includes(step) && changeOf(name, input.view) === 'left',
  )
}
