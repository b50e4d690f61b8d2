'use client'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { afterFrames } from './after-paint.ts'

/**
 * Renders its children one frame after everything else, so that what the person is looking for is painted first. A deferred value is
 * delayed until the page is idle; this one keeps up with frequent changes.
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
      // Synchronously, in this frame rather than the next.
      flushSync(() => show(latest.current))
    })
  }, [children])

  return shown
}
