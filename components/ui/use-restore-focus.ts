'use client'
import { useEffect } from 'react'

/** React Aria dispatches this event on the element to refocus after an overlay has closed. */
const RESTORED = 'react-aria-focus-scope-restore'
/** About a second, then it gives up. */
const FRAMES = 60

/**
 * Restores the focus where React Aria is too early: it does so in the next frame, which may come before the page behind is reachable again,
 * and the focus is lost (https://github.com/adobe/react-spectrum/issues/10610).
 */
export function useRestoreFocus(): void {
  useEffect(() => {
    document.addEventListener(RESTORED, giveBack)
    return () => document.removeEventListener(RESTORED, giveBack)
  }, [])
}

function giveBack({ target }: Event): void {
  if (target instanceof HTMLElement && target.closest('[inert]')) focusOnceReachable(target, FRAMES)
}

/** Focuses the element once that is possible, unless the focus has moved elsewhere in the interim. */
function focusOnceReachable(element: HTMLElement, frames: number): void {
  if (frames === 0 || !element.isConnected || document.activeElement !== document.body) return
  if (element.closest('[inert]')) requestAnimationFrame(() => focusOnceReachable(element, frames - 1))
  else element.focus({ preventScroll: true })
}
