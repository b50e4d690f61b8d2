'use client'
import { createContext, use } from 'react'
import type { QueueInput, QueueSearch } from '#components/kit/addresses/queue-search.ts'

interface QueueFilter {
  search: QueueSearch
  zone: string
  ownZone: string
  input: QueueInput
  /** Another filter starts at the first of its rows again. */
  narrow: (changed: Partial<QueueSearch>) => void
}

export const QueueFilterContext = createContext<QueueFilter | undefined>(undefined)

/** The item that the address names. */
interface NamedItem {
  item: string | null
  /** Names another one, which counts at once; the address follows. Where one comes back from it, it is a step of the browser's history. */
  setItem: (item: string | null, options?: { isStep: boolean }) => void
}

export const NamedItemContext = createContext<NamedItem | undefined>(undefined)

/** What the queue is narrowed by. */
export function useQueueFilter(): QueueFilter {
  const filter = use(QueueFilterContext)
  if (!filter) throw new Error('outside the desk')
  return filter
}

export function useNamedItem(): NamedItem {
  const named = use(NamedItemContext)
  if (!named) throw new Error('outside the desk')
  return named
}
