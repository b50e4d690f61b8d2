'use client'
import { createContext, type ReactNode, type RefObject, useContext, useEffect, useRef, useState } from 'react'
import { useKeys } from '#components/ui/use-keys.ts'
import { bindKeys, type KeyActs } from './keys.ts'
import { useOwnKeys } from './use-own-keys.ts'

/** The acts available now, and what they act on. */
export interface PageActs {
  acts: KeyActs
  about?: string | undefined
}

const ActsContext = createContext(new Set<RefObject<PageActs>>())

/** Collects the acts of a page's components, so that the palette can offer them. */
export function ActsProvider({ children }: { children: ReactNode }) {
  const [all] = useState(() => new Set<RefObject<PageActs>>())
  return <ActsContext value={all}>{children}</ActsContext>
}

/** Registers acts while the component is mounted: with the person's shortcuts, and in the palette. */
export function useActs(acts: PageActs['acts'], about?: string): void {
  const all = useContext(ActsContext)
  const latest = useRef<PageActs>({ acts, about })
  useEffect(() => {
    latest.current = { acts, about }
  })
  useEffect(() => {
    all.add(latest)
    return () => void all.delete(latest)
  }, [all])
  useKeys(bindKeys(acts, useOwnKeys()))
}

/** Returns the acts available at the time of the call. */
export function useActsNow(): () => PageActs[] {
  const all = useContext(ActsContext)
  return () => [...all].map(({ current }) => current)
}
