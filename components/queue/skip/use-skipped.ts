'use client'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { useQueueStore } from '../store/queue-store.tsx'

export interface Skipped {
  keys: ReadonlySet<string>
  add: (item: QueueItem) => void
  bringBack: (item?: QueueItem) => void
}

/** Items left to somebody else, or for later: they don't come back until asked for, unless they were edited. */
export function useSkipped(keys: ReadonlySet<string>): Skipped {
  const { dispatch } = useQueueStore()
  return {
    keys,
    add: (item) => dispatch({ type: 'skipped', item }),
    bringBack: (item) => dispatch({ type: 'unskipped', item }),
  }
}
