'use client'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { afterDecision, type Stretch } from './stretch.ts'

interface Pause {
  stretch: Stretch | undefined
  countDecision: () => void
  /** Starts counting again. */
  rest: () => void
}

const PauseContext = createContext<Pause>({ stretch: undefined, countDecision: () => {}, rest: () => {} })

export const usePause = () => useContext(PauseContext)

/** Counts the decisions made on this page; the count ends with the page. */
export function PauseProvider({ children }: { children: ReactNode }) {
  const [stretch, setStretch] = useState<Stretch>()
  const pause = useMemo<Pause>(
    () => ({
      stretch,
      countDecision: () => setStretch((before) => afterDecision(before, Date.now())),
      rest: () => setStretch(undefined),
    }),
    [stretch],
  )
  return <PauseContext value={pause}>{children}</PauseContext>
}
