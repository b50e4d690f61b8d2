'use client'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

export interface VirtualItem {
  index: number
  key: string | number
  start: number
  end: number
}

export interface Virtualizer {
  scrollElement: HTMLElement | null
  scrollOffset: number
  measurementsCache: readonly VirtualItem[]
  getVirtualItems: () => VirtualItem[]
  getTotalSize: () => number
  scrollToIndex: (index: number, options: { align: 'auto' }) => void
}

interface Range {
  startIndex: number
  endIndex: number
  overscan: number
  count: number
}

interface VirtualizerOptions {
  count: number
  getScrollElement: () => HTMLElement | null
  /** Exact, in pixels: rows aren't measured. */
  estimateSize: (index: number) => number
  getItemKey: (index: number) => string | number
  /** The viewport before there is one: on the server, and during hydration. */
  initialRect: { height: number }
  overscan: number
  paddingEnd: number
  scrollPaddingEnd: number
  /** The indexes that are rendered. */
  rangeExtractor: (range: Range) => number[]
}

/** Renders only the visible rows of a list whose heights are known. It has the part of TanStack Virtual's interface that the desk uses. */
export function useVirtualizer(options: VirtualizerOptions): Virtualizer {
  const { count, estimateSize, getItemKey, overscan, paddingEnd, scrollPaddingEnd } = options
  const scrollElement = options.getScrollElement()
  const { scrollOffset, height } = useViewport(scrollElement, options.initialRect.height)

  const items: VirtualItem[] = []
  let total = 0
  for (let index = 0; index < count; index += 1) {
    const start = total
    total += estimateSize(index)
    items.push({ index, key: getItemKey(index), start, end: total })
  }
  const startIndex = indexAt(items, scrollOffset)
  const endIndex = indexAt(items, scrollOffset + height)

  return {
    scrollElement,
    scrollOffset,
    measurementsCache: items,
    getVirtualItems: () =>
      count === 0
        ? []
        : options.rangeExtractor({ startIndex, endIndex, overscan, count }).flatMap((index) => items[index] ?? []),
    getTotalSize: () => total + paddingEnd,
    scrollToIndex: (index) => {
      const item = items[index]
      if (!item || !scrollElement) return
      const { scrollTop, clientHeight } = scrollElement
      if (item.start < scrollTop) scrollElement.scrollTo({ top: item.start })
      else if (item.end + scrollPaddingEnd > scrollTop + clientHeight)
        scrollElement.scrollTo({ top: item.end + scrollPaddingEnd - clientHeight })
    },
  }
}

/** The item at an offset; the last one beyond the end. */
function indexAt(items: readonly VirtualItem[], offset: number): number {
  let [low, high] = [0, items.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((items[middle]?.end ?? 0) > offset) high = middle
    else low = middle + 1
  }
  return Math.max(0, low)
}

function useViewport(element: HTMLElement | null, initialHeight: number): { scrollOffset: number; height: number } {
  const [viewport, setViewport] = useState({ scrollOffset: 0, height: initialHeight })
  useEffect(() => {
    if (!element) return
    const read = () => setViewport({ scrollOffset: element.scrollTop, height: element.clientHeight })
    // Before the scrolled frame is painted: rows that scroll into view are there.
    const onScroll = () => flushSync(read)
    const resizes = new ResizeObserver(read)
    element.addEventListener('scroll', onScroll, { passive: true })
    resizes.observe(element)
    return () => {
      element.removeEventListener('scroll', onScroll)
      resizes.disconnect()
    }
  }, [element])
  return viewport
}
