'use client'
import { useCallback, useLayoutEffect, useRef } from 'react'

/**
 * A function with a stable identity that calls the latest callback: components that receive it don't re-render for it, and always run
 * current code.
 */
export function useStableCallback<Given extends unknown[], Answer>(
  act: (...given: Given) => Answer,
): (...given: Given) => Answer {
  const latest = useRef(act)
  useLayoutEffect(() => {
    latest.current = act
  })
  return useCallback((...given) => latest.current(...given), [])
}
