'use client'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import type { TextPart } from './split-links.ts'

type Split = (text: string) => TextPart[]

/** Nearly all texts have none of it: they don't need the finder of links, which is large. */
const MAY_LINK = /https?:|www[.\u3002]|[/\\]{2}/i

/** Whether there may be a link in a text: surely if a browser would open one, also from letters of another width. */
export const mayLink = (text: string) => MAY_LINK.test(text.normalize('NFKC'))

let split: Split | undefined
const listeners = new Set<() => void>()

/** Splits a text at its links: the text alone until the finder is loaded. */
export function useLinks(text: string): TextPart[] {
  const known = useSyncExternalStore(
    subscribe,
    () => split,
    () => undefined,
  )
  const isAsked = mayLink(text)
  useEffect(() => {
    if (isAsked) void load()
  }, [isAsked])
  return useMemo(() => (isAsked && known ? known(text) : [{ text, at: 0 }]), [text, isAsked, known])
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Loads what finds links; if that fails, links stay text. */
async function load(): Promise<void> {
  if (split) return
  const loaded = await import('./split-links.ts').catch(() => undefined)
  split = loaded?.splitLinks
  for (const listener of listeners) listener()
}
