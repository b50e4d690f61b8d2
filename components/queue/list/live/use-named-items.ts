'use client'
import { useState } from 'react'
import type { QueueInput } from '#components/kit/addresses/queue-search.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { itemIdOf } from '../../state/item-id.ts'
import { useQueueCache } from '../../state/use-queue-cache.ts'
import { useThrottled } from './use-throttled.ts'

const READ_EVERY_MS = 500
/** More items than this are read with their lists: a claim of a group names up to a thousand. */
const FEW = 5

const IS_OF_CLAIM = /\.did(?:Claim|Release)(?:Report)?$/

/** Reads listed items again that events name: those that were claimed or released together. */
export function useNamedItems(input: QueueInput): (name: string, subject: Subject) => void {
  const cache = useQueueCache()
  const [claimed] = useState(() => new Map<string, Subject>())
  const readOne = (subject: Subject) => void cache.readItemAgain(input, subject).catch(() => undefined)
  const readClaimed = useThrottled(READ_EVERY_MS, () => {
    const items = [...claimed.values()]
    claimed.clear()
    if (items.length > FEW) void cache.readListsAgain()
    else items.forEach(readOne)
  })
  return (name, subject) => {
    if (!IS_OF_CLAIM.test(name)) return readOne(subject)
    claimed.set(itemIdOf(subject), subject)
    readClaimed()
  }
}
