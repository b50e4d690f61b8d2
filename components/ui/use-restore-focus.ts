'use client'
import { useEffect } from 'react'

/** React Aria tells what is to have the focus again, once what lay over it has closed. */
const RESTORED = 'react-aria-focus-scope-restore'
/** About a second, after which nothing comes of it. */
const FRAMES = 60

/**
 * Gives the focus back also where React Aria is too early: it does so in the next frame, which may come before the page behind can
 * be reached again, and then the focus is nowhere (https://github.com/adobe/react-spectrum/issues/10610).
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

/** Not where somebody has gone elsewhere meanwhile. */
function focusOnceReachable(element: HTMLElement, frames: number): void {
  if (frames === 0 || !element.isConnected || document.activeElement !== document.body) return
  if (element.closest('[inert]')) requestAnimationFrame(() => focusOnceReachable(element, frames - 1))
  else element.focus({ preventScroll: true })
}
