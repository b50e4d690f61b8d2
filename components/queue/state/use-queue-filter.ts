'use client'
import { createContext, use } from 'react'
import type { QueueInput, QueueSearch } from '#components/kit/addresses/queue-search.ts'

interface QueueFilter {
  search: QueueSearch
  zone: string
  ownZone: string
  input: QueueInput
  /** A filter change starts at the first row again. */
  narrow: (changed: Partial<QueueSearch>) => void
}

export const QueueFilterContext = createContext<QueueFilter | undefined>(undefined)

/** The item in the URL. */
interface NamedItem {
  item: string | null
  /** Sets the item immediately; the URL follows. With `isStep`, adds an entry to the browser's history. */
  setItem: (item: string | null, options?: { isStep: boolean }) => void
}

export const NamedItemContext = createContext<NamedItem | undefined>(undefined)

/** The queue's filters. */
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
