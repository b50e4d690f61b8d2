'use client'
import type { ReactNode } from 'react'
import { useFormatter } from 'use-intl'
import { dayTicks } from './round-ticks.ts'

interface DayChartProps {
  /** The chart's description, in a sentence; the figures are next to it. */
  label: string
  days: string[]
  /** The ticks of the vertical axis, from 0 to its end. */
  ticks: { value: number; label: string }[]
  /** Bars and lines, in the coordinates of `barAt` and `lineOf`. */
  children: ReactNode
}

/** How many days have a label: on a phone, there is room for fewer. */
const LABELS = 5
const LABELS_ON_PHONE = 3
/** The drawing is this wide and high, and is stretched to its frame; lines keep their width. */
const SIZE = 100

/** A frame of days from start to end in reading direction: axes with labels, and a drawing. An image to screen readers. */
export function DayChart({ label, days, ticks, children }: DayChartProps) {
  const end = ticks.at(-1)?.value ?? 1
  return (
    <div role="img" aria-label={label} className="relative h-[180px] ps-12 pe-5 pt-2 pb-6 phone:h-[140px]">
      <div className="relative h-full">
        {ticks.map((tick) => (
          <div
            key={tick.value}
            className="absolute inset-x-0 border-t border-chart-grid"
            style={{ bottom: `${(tick.value / end) * 100}%` }}
          >
            <span className="absolute -start-12 w-10 -translate-y-1/2 text-end text-[11px] leading-none whitespace-nowrap text-ink-3">
              {tick.label}
            </span>
          </div>
        ))}
        <svg
          viewBox={`0 0 ${SIZE} ${SIZE}`}
          preserveAspectRatio="none"
          aria-hidden="true"
          className="absolute inset-0 size-full overflow-visible rtl:-scale-x-100"
        >
          {children}
        </svg>
        <DayLabels days={days} shown={dayTicks(days.length, LABELS)} className="phone:hidden" />
        <DayLabels days={days} shown={dayTicks(days.length, LABELS_ON_PHONE)} className="hidden phone:block" />
      </div>
    </div>
  )
}

function DayLabels({ days, shown, className }: { days: string[]; shown: number[]; className: string }) {
  const format = useFormatter()
  return (
    <div className={className}>
      {shown.map((index) => (
        <span
          key={index}
          className="absolute top-full -translate-x-1/2 pt-1.5 text-[11px] leading-none whitespace-nowrap text-ink-3 rtl:translate-x-1/2"
          style={{ insetInlineStart: `${((index + 0.5) / days.length) * 100}%` }}
        >
          {format.dateTime(new Date(`${days[index]}T00:00:00Z`), { day: 'numeric', month: 'short', timeZone: 'UTC' })}
        </span>
      ))}
    </div>
  )
}

/** The rectangle of a day's bar. */
export function barAt(index: number, value: number, { days, end }: { days: number; end: number }) {
  const step = SIZE / days
  const height = (value / end) * SIZE
  return { x: round((index + 0.12) * step), width: round(0.76 * step), y: round(SIZE - height), height: round(height) }
}

/** A path through the middle of each day, interrupted at days without a value. */
export function lineOf(values: (number | undefined)[], end: number): string {
  return values
    .flatMap((value, index) =>
      value === undefined
        ? []
        : [`${values[index - 1] === undefined ? 'M' : 'L'}${pointAt(index, value, { values, end })}`],
    )
    .join('')
}

/** A dot for each day between days without a value, where there is no line. */
export function dotsOf(values: (number | undefined)[], end: number): string {
  return values
    .flatMap((value, index) => {
      const isAlone = values[index - 1] === undefined && values[index + 1] === undefined
      return value !== undefined && isAlone ? [`M${pointAt(index, value, { values, end })}h0`] : []
    })
    .join('')
}

function pointAt(index: number, value: number, { values, end }: { values: unknown[]; end: number }): string {
  return `${round(((index + 0.5) / values.length) * SIZE)} ${round(SIZE - (value / end) * SIZE)}`
}

const round = (coordinate: number) => Math.round(coordinate * 100) / 100
