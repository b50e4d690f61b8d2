'use client'
import { createContext, type ReactNode, type RefObject, useContext, useEffect, useRef, useState } from 'react'
import { useKeys } from '#components/ui/use-keys.ts'
import { bindKeys, type KeyActs } from './keys.ts'
import { useOwnKeys } from './use-own-keys.ts'

/** What can be done now, and with what. */
export interface PageActs {
  acts: KeyActs
  about?: string | undefined
}

const ActsContext = createContext(new Set<RefObject<PageActs>>())

/** Keeps what the parts of a page can do, so that the palette offers it. */
export function ActsProvider({ children }: { children: ReactNode }) {
  const [all] = useState(() => new Set<RefObject<PageActs>>())
  return <ActsContext value={all}>{children}</ActsContext>
}

/** Acts of what is on the page, as long as it is: by the person's own keys, and from the palette. */
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

/** What can be done on the page at the moment it is asked. */
export function useActsNow(): () => PageActs[] {
  const all = useContext(ActsContext)
  return () => [...all].map(({ current }) => current)
}
