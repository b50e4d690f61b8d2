'use client'
import { useSyncExternalStore } from 'react'

/** In localStorage, so that a dismissed bulk isn't shown again by another page, and a result only once. */
const NAME = 'docket.bulks.seen'
const SHOWN_NAME = 'docket.bulks.shown'
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

/** The ids of bulks whose result was shown. */
export function readShownBulks(): string[] {
  try {
    return (localStorage.getItem(SHOWN_NAME) ?? '').split(' ')
  } catch {
    return []
  }
}

export function markShown(bulkId: string): void {
  const ids = readShownBulks()
  if (ids.includes(bulkId)) return
  try {
    localStorage.setItem(SHOWN_NAME, [bulkId, ...ids].slice(0, KEPT).join(' '))
  } catch {
    // Without storage, a result may be shown again.
  }
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
