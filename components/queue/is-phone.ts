'use client'
import { useSyncExternalStore } from 'react'

const phone = () => window.matchMedia('(width <= 640px)')

/** Where list and item are pages of their own. */
export const isPhone = () => phone().matches

/** The same, as the window is made wider and narrower; on the server nothing is a phone. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(onChange, isPhone, () => false)
}

function onChange(changed: () => void): () => void {
  const query = phone()
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}
