'use client'
import { useState } from 'react'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { keyOf } from '../decisions.ts'

export interface Skipped {
  keys: ReadonlySet<string>
  add: (item: QueueItem) => void
  bringBack: (item?: QueueItem) => void
}

const NONE: ReadonlySet<string> = new Set()

/** Items left to somebody else, or for later: they don't come back until asked for, unless they were edited. */
export function useSkipped(): Skipped {
  const [keys, setKeys] = useState(NONE)
  return {
    keys,
    add: (item) => setKeys((before) => new Set([...before, keyOf(item)])),
    bringBack: (item) => setKeys((before) => (item ? new Set([...before].filter((key) => key !== keyOf(item))) : NONE)),
  }
}
