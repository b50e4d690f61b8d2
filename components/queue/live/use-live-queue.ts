'use client'
import { useEffect, useRef, useState } from 'react'
import type { QueueInput } from '#components/kit/addresses/queue-search.ts'
import { useLiveMessages } from '#components/live/live-context.tsx'
import { throttle } from '#components/live/throttle.ts'
import type { QueueView, Subject } from '#server/modules/review/queue/schema.ts'
import { itemIdOf, subjectOf } from '../item-id.ts'
import { useQueueCache } from '../use-queue-cache.ts'
import type { Selection } from '../use-selection.ts'
import { changeOf } from './change-of.ts'

const RECOUNT_EVERY_MS = 2_000

/**
 * Applies colleagues' decisions to the list: decided items leave it, except for the current one. That one shows who decided it and keeps
 * everything typed until the moderator moves on.
 */
export function useLiveQueue(input: QueueInput, rows: Subject[], { currentId }: Selection): void {
  const cache = useQueueCache()
  const leftMeanwhile = useRef(new Map<string, (view: QueueView | undefined) => boolean>())
  const [recount] = useState(() => throttle(RECOUNT_EVERY_MS, () => cache.recount()))
  useEffect(() => recount.cancel, [recount])

  useLiveMessages((message) => {
    if (message.kind !== 'event') return
    recount.call()
    const itemId = `${message.subjectType}:${message.subjectId}`
    const subject = subjectOf(itemId)
    if (!subject) return

    const hasLeft = (view: QueueView | undefined) => changeOf(message.name, view) === 'left'
    const isCurrent = itemId === currentId
    if (isCurrent && hasLeft(input.view)) leftMeanwhile.current.set(itemId, hasLeft)
    else leftMeanwhile.current.delete(itemId)

    if (!isCurrent) cache.drop(subject, hasLeft)
    if (!hasLeft(input.view) && rows.some((row) => itemIdOf(row) === itemId))
      cache.spaceAgain(input, subject).catch(() => undefined)
    cache.expire(subject)
  })

  useEffect(() => {
    const left = leftMeanwhile.current
    return () => {
      const hasLeft = currentId === undefined ? undefined : left.get(currentId)
      const subject = hasLeft && currentId !== undefined && subjectOf(currentId)
      if (!subject) return
      left.delete(currentId)
      cache.drop(subject, hasLeft)
    }
  }, [currentId, cache])
}
