'use client'
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { Virtualizer } from '#components/ui/use-virtualizer.ts'

/** Keeps the scroll position when rows above the viewport are added or removed: the first visible row doesn't move. */
export function useScrollAnchor(virtualizer: Virtualizer, rows: readonly unknown[]): void {
  const place = useRef<{ key: unknown; hidden: number }>(undefined)
  const offset = virtualizer.scrollOffset ?? 0
  const first = offset > 0 ? virtualizer.getVirtualItems().find(({ end }) => end > offset) : undefined

  const keep = useEffectEvent(() => {
    const kept = place.current && virtualizer.measurementsCache.find(({ key }) => key === place.current?.key)
    const wanted = kept && kept.start + (place.current?.hidden ?? 0)
    if (wanted !== undefined && wanted !== offset) virtualizer.scrollElement?.scrollTo({ top: wanted })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: positions change with the rows
  useLayoutEffect(() => keep(), [rows])
  useEffect(() => {
    place.current = first && { key: first.key, hidden: offset - first.start }
  })
}
