'use client'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/**
 * Shows the text being judged: what comes before it, such as its post, scrolls up if both don't fit. Once when the item is shown, once
 * when its surroundings are, and when the page gets another width, unless the text was scrolled away. Returns the ref of the text.
 */
export function useScrollToItem(isRead: boolean): RefObject<HTMLDivElement | null> {
  const text = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the surroundings push the text down
  useLayoutEffect(() => scrollTo(text.current), [isRead])
  useEffect(() => (text.current ? keepInView(text.current) : undefined), [])
  return text
}

function scrollTo(text: Element | null): void {
  const scroller = scrollerOf(text)
  if (!scroller) return
  scroller.scrollTop = 0
  text?.scrollIntoView({ block: 'nearest' })
}

/** Scrolls back to a text that another width of the page, as by zoom or a turned phone, moves out of view. Returns what stops it. */
function keepInView(text: Element): () => void {
  const root = document.documentElement
  let width = root.clientWidth
  let wasInView = true
  // A frame's sizes are reported before what they bring into view.
  const sizes = new ResizeObserver(() => {
    if (root.clientWidth !== width && wasInView) scrollTo(text)
    width = root.clientWidth
  })
  const views = new IntersectionObserver((entries) => {
    wasInView = entries.at(-1)?.isIntersecting ?? wasInView
  })
  sizes.observe(root)
  views.observe(text)
  return () => {
    sizes.disconnect()
    views.disconnect()
  }
}

/** The closest ancestor whose content is higher than itself. */
function scrollerOf(element: Element | null): Element | undefined {
  for (let at = element?.parentElement; at; at = at.parentElement) {
    if (at.scrollHeight > at.clientHeight && getComputedStyle(at).overflowY === 'auto') return at
  }
  return undefined
}
