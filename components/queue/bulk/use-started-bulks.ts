'use client'
import { useMemo, useState } from 'react'
import type { QueueInput } from '#components/kit/addresses/queue-search.ts'
import type { SeenItem } from '#server/modules/review/bulk/schema.ts'
import { keyOf } from '../decisions.ts'

/** A bulk started on this page, and the items it decides. */
export interface StartedBulk {
  bulkId: string
  at: number
  /** The list the items were selected in. */
  input: QueueInput
  items: SeenItem[]
}

/** Items of a running bulk leave the list immediately; those that could not be decided come back when it ends. */
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
