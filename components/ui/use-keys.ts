'use client'
import { useEffectEvent, useLayoutEffect } from 'react'
import { comboOf, keepsItsKeys } from './keys.ts'

/** Single-key shortcuts of a page. Ignores the repeats of a key that is held down. */
export function useKeys(acts: Readonly<Record<string, () => void>>): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || keepsItsKeys(event.target)) return
    const act = acts[comboOf(event) ?? '']
    if (!act) return
    event.preventDefault()
    if (!event.repeat) act()
  })

  // As soon as the page is shown: later effects may run when the first keys have been pressed.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
