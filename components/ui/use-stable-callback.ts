'use client'
import { useCallback, useLayoutEffect, useRef } from 'react'

/**
 * One and the same function from first to last, which does what the latest one does: what is given it is not drawn again for it, and
 * does what counts now even where it was drawn a moment ago.
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
