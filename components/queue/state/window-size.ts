'use client'
import { useSyncExternalStore } from 'react'

const PHONE = '(width <= 40em)'
/** Too low for the reasons to be shown without being asked for. */
const LOW = '(height < 37.5em)'

/** Whether list and item are separate pages. */
export const isPhone = () => window.matchMedia(PHONE).matches

/** Like `isPhone`, and follows the window's size; false on the server. */
export const useIsPhone = () => useMedia(PHONE)

/** Whether the window is low, as it is when zoomed in; false on the server. */
export const useIsLow = () => useMedia(LOW)

function useMedia(query: string): boolean {
  const subscribe = (changed: () => void) => {
    const list = window.matchMedia(query)
    list.addEventListener('change', changed)
    return () => list.removeEventListener('change', changed)
  }
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => false,
  )
}
