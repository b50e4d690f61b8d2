'use client'
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import { afterFrames } from './after-paint.ts'

const Announce = createContext<(text: string) => void>(() => {})

/** Announces a message once to screen readers: after the list has moved the focus (`NextFrame`), which would interrupt it. */
export const useAnnounce = () => useContext(Announce)

/** The page's only live region. */
export function Announcer({ children }: { children: ReactNode }) {
  const [{ text, turn }, setSaid] = useState({ text: '', turn: 0 })
  const announce = useCallback((text: string) => {
    void afterFrames(2).then(() => setSaid(({ turn }) => ({ text, turn: turn + 1 })))
  }, [])
  return (
    <Announce value={announce}>
      {children}
      <div role="status" className="sr-only">
        {/* A new node each time, so that the same message is announced twice. */}
        <span key={turn}>{text}</span>
      </div>
    </Announce>
  )
}
