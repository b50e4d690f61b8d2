'use client'
import { createContext, type ReactNode, useContext } from 'react'
import { useNow as useTickingNow } from 'use-intl'

const TICK_MS = 10_000
const NowContext = createContext(new Date(0))

/** One clock for the whole page, so that two ages side by side never disagree. */
export const useNow = () => useContext(NowContext)

/** The server's time during hydration, then the browser's. */
export function NowProvider({ children }: { children: ReactNode }) {
  return <NowContext value={useTickingNow({ updateInterval: TICK_MS })}>{children}</NowContext>
}
