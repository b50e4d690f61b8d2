'use client'
import { useEffect, useRef, useState } from 'react'
import { atMostEvery } from '#components/live/at-most-every.ts'
import { useHear } from '#components/live/live-context.tsx'
import type { Subject } from '#server/modules/review/schema.ts'
import { idOf, subjectOf } from '../item-id.ts'
import type { QueueInput } from '../queue-search.ts'
import { useQueueCache } from '../use-queue-cache.ts'
import type { Selection } from '../use-selection.ts'
import { changeOf } from './change-of.ts'

const RECOUNT_EVERY_MS = 2_000

/**
 * Keeps the list to what others do: what they decide leaves it, except for the item one is on. That one stays and says who decided
 * it, with all that was typed, until one goes on.
 */
export function useLiveQueue(input: QueueInput, rows: Subject[], { currentId }: Selection): void {
  const cache = useQueueCache()
  const leftMeanwhile = useRef(new Set<string>())
  const [recount] = useState(() => atMostEvery(RECOUNT_EVERY_MS, () => cache.recount()))
  useEffect(() => recount.cancel, [recount])

  useHear((message) => {
    if (message.kind !== 'event') return
    recount.call()
    const itemId = `${message.subjectType}:${message.subjectId}`
    const subject = subjectOf(itemId)
    if (!subject) return

    const change = changeOf(message.name, input.view)
    const isCurrent = itemId === currentId
    if (change === 'left' && isCurrent) leftMeanwhile.current.add(itemId)
    else leftMeanwhile.current.delete(itemId)

    if (change === 'left' && !isCurrent) cache.drop(subject)
    else if (change !== 'left' && rows.some((row) => idOf(row) === itemId))
      cache.placeAgain(input, subject).catch(() => undefined)
    cache.expire(subject)
  })

  useEffect(() => {
    const left = leftMeanwhile.current
    return () => {
      const subject = currentId !== undefined && left.delete(currentId) && subjectOf(currentId)
      if (subject) cache.drop(subject)
    }
  }, [currentId, cache])
}
