'use client'
import { createContext, use } from 'react'
import type { QueueInput, QueueSearch } from './queue-search.ts'

interface QueueFilter {
  search: QueueSearch
  zone: string
  ownZone: string
  input: QueueInput
  /** Another filter starts at the first of its rows again. */
  narrow: (changed: Partial<QueueSearch>) => void
}

export const QueueFilterContext = createContext<QueueFilter | undefined>(undefined)

/** What the queue is narrowed by. */
export function useQueueFilter(): QueueFilter {
  const filter = use(QueueFilterContext)
  if (!filter) throw new Error('outside the desk')
  return filter
}
