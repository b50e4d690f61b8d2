'use client'
import { type RefCallback, useCallback, useState } from 'react'

/** The height of an element, in CSS pixels, as it changes; and the ref that measures it. */
export function useHeight(): [height: number, ref: RefCallback<HTMLElement>] {
  const [height, setHeight] = useState(0)
  const ref: RefCallback<HTMLElement> = useCallback((element) => {
    if (!element) return undefined
    const observer = new ResizeObserver(() => setHeight(element.offsetHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [height, ref]
}
