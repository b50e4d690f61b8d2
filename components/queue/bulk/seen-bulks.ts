'use client'
import { useSyncExternalStore } from 'react'

/** In localStorage, so that a dismissed bulk isn't shown again by another page. */
const NAME = 'docket.bulks.seen'
const KEPT = 20
const listeners = new Set<() => void>()
let known: string | undefined

/** The ids of bulks whose end was seen; undefined during server rendering. */
export function useSeenBulks(): string[] | undefined {
  return useSyncExternalStore(subscribe, read, () => undefined)?.split(' ')
}

export function markSeen(bulkId: string): void {
  const ids = read().split(' ')
  if (ids.includes(bulkId)) return
  known = [bulkId, ...ids].slice(0, KEPT).join(' ')
  try {
    localStorage.setItem(NAME, known)
  } catch {
    // Without storage, the ids are kept for as long as the page is open.
  }
  for (const listener of listeners) listener()
}

function read(): string {
  if (known !== undefined) return known
  try {
    known = localStorage.getItem(NAME) ?? ''
  } catch {
    known = ''
  }
  return known
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
