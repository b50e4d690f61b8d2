'use client'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import type { TextPart } from './split-links.ts'

type Split = (text: string) => TextPart[]

/** Nearly all texts have none of it: they don't need the finder of links, which is large. */
const MAY_LINK = /https?:|www\.|[/\\]{2}/i

let split: Split | undefined
const listeners = new Set<() => void>()

/** Splits a text at its links: the text alone until the finder is loaded. */
export function useLinks(text: string): TextPart[] {
  const known = useSyncExternalStore(
    subscribe,
    () => split,
    () => undefined,
  )
  const mayLink = MAY_LINK.test(text)
  useEffect(() => {
    if (mayLink) void load()
  }, [mayLink])
  return useMemo(() => (mayLink && known ? known(text) : [{ text, at: 0 }]), [text, mayLink, known])
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Where it can't be loaded, links stay text. */
async function load(): Promise<void> {
  if (split) return
  const loaded = await import('./split-links.ts').catch(() => undefined)
  split = loaded?.splitLinks
  for (const listener of listeners) listener()
}
