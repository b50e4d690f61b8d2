'use client'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { afterFrames } from './after-paint.ts'

/**
 * Draws what it holds in the frame after all else, so that what one waits for is there first. However often that changes, it follows:
 * unlike a deferred value, which waits until the rest is at peace.
 */
export function NextFrame({ children }: { children: ReactNode }) {
  const [shown, show] = useState(children)
  const latest = useRef(children)
  const isComing = useRef(false)

  useEffect(() => {
    latest.current = children
    if (isComing.current) return
    isComing.current = true
    void afterFrames(2).then(() => {
      isComing.current = false
      // In this very frame, not in the one after it.
      flushSync(() => show(latest.current))
    })
  }, [children])

  return shown
}
