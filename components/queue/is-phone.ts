'use client'
import { useSyncExternalStore } from 'react'

const phone = () => window.matchMedia('(width <= 640px)')

/** Whether list and item are separate pages. */
export const isPhone = () => phone().matches

/** Like `isPhone`, and follows the window's width; false on the server. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(onChange, isPhone, () => false)
}

function onChange(changed: () => void): () => void {
  const query = phone()
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}
