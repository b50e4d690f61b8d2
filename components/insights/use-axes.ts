'use client'
import { useSyncExternalStore } from 'react'
import { useFormatter } from 'use-intl'

/** The axes of both charts: the days of the range, in reading direction. */
export function useAxes() {
  const format = useFormatter()
  const isRightToLeft = useSyncExternalStore(
    () => () => {},
    () => document.documentElement.dir === 'rtl',
    () => false,
  )
  return {
    x: {
      dataKey: 'day',
      reversed: isRightToLeft,
      tickFormatter: (day: string) =>
        format.dateTime(new Date(`${day}T00:00:00Z`), { day: 'numeric', month: 'short', timeZone: 'UTC' }),
      minTickGap: 48,
      tickLine: false,
      axisLine: { stroke: 'var(--line-strong)' },
      tick: TICK,
    },
    y: {
      orientation: isRightToLeft ? ('right' as const) : ('left' as const),
      width: 48,
      tickLine: false,
      axisLine: false,
      tick: TICK,
    },
    grid: { vertical: false, stroke: 'var(--chart-grid)' },
  }
}

const TICK = { fill: 'var(--ink-3)', fontSize: 11 }
