'use client'
import { useEffect, useState } from 'react'

const TICK_MS = 250

/** The current time, updated four times a second until `until`. */
export function useNowUntil(until: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now())
      if (Date.now() > until) clearInterval(timer)
    }, TICK_MS)
    return () => clearInterval(timer)
  }, [until])
  return now
}
