'use client'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { throttle } from '#components/live/throttle.ts'
import { orphanedKeys } from '../../state/folded-rows.ts'
import type { Queue } from '../../state/use-queue.ts'
import { useQueueCache } from '../../state/use-queue-cache.ts'

const READ_EVERY_MS = 2_000

/** Reads the list again when the rest of a group is in no row any more. */
export function useOrphans({ list, listed }: Queue): void {
  const cache = useQueueCache()
  const { data } = list
  const orphaned = useMemo(() => {
    const read = data?.pages.flatMap(({ items }) => items) ?? []
    return orphanedKeys(listed.pages.flat(), read).join(' ')
  }, [data, listed])
  const readAgain = useEffectEvent(() => void cache.readListsAgain())
  const [throttled] = useState(() => throttle(READ_EVERY_MS, () => readAgain()))

  useEffect(() => {
    if (orphaned !== '') throttled.call()
  }, [orphaned, throttled])
  useEffect(() => throttled.cancel, [throttled])
}
