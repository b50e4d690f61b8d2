'use client'
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import { afterFrames } from './after-paint.ts'

const Announce = createContext<(text: string) => void>(() => {})

/** Says a thing once to those who listen rather than look: after the list has given the focus on (`FrameLater`), which would cut it off. */
export const useAnnounce = () => useContext(Announce)

/** The page's one live region. */
export function Announcer({ children }: { children: ReactNode }) {
  const [{ text, turn }, setSaid] = useState({ text: '', turn: 0 })
  const announce = useCallback((text: string) => {
    void afterFrames(2).then(() => setSaid(({ turn }) => ({ text, turn: turn + 1 })))
  }, [])
  return (
    <Announce value={announce}>
      {children}
      <div role="status" className="sr-only">
        {/* A new node each time: the same words twice are said twice. */}
        <span key={turn}>{text}</span>
      </div>
    </Announce>
  )
}
