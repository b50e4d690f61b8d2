'use client'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react'
import { afterFrames } from './after-paint.ts'

const Announce = createContext<(text: string) => void>(() => {})

/** Announces a message once to screen readers: after the list has moved the focus (`NextFrame`), which would interrupt it. */
export const useAnnounce = () => useContext(Announce)

const Warn = createContext<(text: string) => void>(() => {})

/** Shows a message for a while, and announces it: what somebody asked for didn't happen, and nothing on the page says so. */
export const useWarn = () => useContext(Warn)

const WARNED_FOR_MS = 8_000

/** The page's only live region. */
export function Announcer({ children }: { children: ReactNode }) {
  const [{ text, turn }, setSaid] = useState({ text: '', turn: 0 })
  const announce = useCallback((text: string) => {
    void afterFrames(2).then(() => setSaid(({ turn }) => ({ text, turn: turn + 1 })))
  }, [])
  const [warning, setWarning] = useState<{ text: string }>()
  const warn = useCallback(
    (text: string) => {
      announce(text)
      setWarning({ text })
    },
    [announce],
  )
  useEffect(() => {
    if (!warning) return
    const timer = setTimeout(() => setWarning(undefined), WARNED_FOR_MS)
    return () => clearTimeout(timer)
  }, [warning])
  return (
    <Announce value={announce}>
      <Warn value={warn}>{children}</Warn>
      {warning && (
        <p
          aria-hidden
          className="pointer-events-none fixed inset-x-0 bottom-16 z-50 mx-auto w-fit max-w-[min(28rem,90vw)] animate-appear rounded-3 bg-raised px-3 py-2 text-ink shadow-pop forced-colors:border print:hidden"
        >
          {warning.text}
        </p>
      )}
      <div role="status" className="sr-only">
        {/* A new node each time, so that the same message is announced twice. */}
        <span key={turn}>{text}</span>
      </div>
    </Announce>
  )
}
