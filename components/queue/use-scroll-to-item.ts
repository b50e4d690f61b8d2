'use client'
import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Shows the text being judged: what comes before it, such as its post, scrolls up if both don't fit. Once when the item is shown and once
 * when its surroundings are. Returns the ref of the text.
 */
export function useScrollToItem(isRead: boolean): RefObject<HTMLDivElement | null> {
  const text = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the surroundings push the text down
  useLayoutEffect(() => {
    const scroller = scrollerOf(text.current)
    if (!scroller) return
    scroller.scrollTop = 0
    text.current?.scrollIntoView({ block: 'nearest' })
  }, [isRead])
  return text
}

/** The closest ancestor whose content is higher than itself. */
function scrollerOf(element: Element | null): Element | undefined {
  for (let at = element?.parentElement; at; at = at.parentElement) {
    if (at.scrollHeight > at.clientHeight && getComputedStyle(at).overflowY === 'auto') return at
  }
  return undefined
}
