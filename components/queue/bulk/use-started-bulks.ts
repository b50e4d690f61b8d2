'use client'
import { useMemo, useState } from 'react'
import type { QueueInput } from '#components/kit/addresses/queue-search.ts'
import type { SeenItem } from '#server/modules/review/bulk/schema.ts'
import { keyOf } from '../decisions.ts'

/** What was begun on this page, and what is to be decided by it. */
export interface StartedBulk {
  bulkId: string
  at: number
  /** The list it was chosen in. */
  input: QueueInput
  items: SeenItem[]
}

/** What is being decided as one is gone from the list at once; what could not be done is there again at the end. */
export function useStartedBulks() {
  const [all, setAll] = useState<StartedBulk[]>([])
  const hidden = useMemo(() => new Set(all.flatMap(({ items }) => items.map(keyOf))), [all])
  return {
    all,
    hidden,
    begin: (begun: StartedBulk) => setAll((before) => [...before, begun]),
    end: (bulkId: string) =>
      setAll((before) => before.map((begun) => (begun.bulkId === bulkId ? { ...begun, items: [] } : begun))),
  }
}
