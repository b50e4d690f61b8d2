'use client'
import { useFormatter } from 'use-intl'
import type { Insights } from '#server/modules/review/insights/schema.ts'
import { barAt, DayChart, dotsOf, lineOf } from './day-chart.tsx'
import { countTicks } from './round-ticks.ts'

interface CountsChartProps {
  days: Insights['days']
  label: string
}

/** Bars for held items, a line for decisions: different shapes, not only colours. */
export function CountsChart({ days, label }: CountsChartProps) {
  const format = useFormatter()
  const decided = days.map(({ approved, rejected }) => approved + rejected)
  const ticks = countTicks(Math.max(...decided, ...days.map(({ held }) => held)))
  const end = ticks.at(-1) ?? 1
  return (
    <DayChart
      label={label}
      days={days.map(({ day }) => day)}
      ticks={ticks.map((value) => ({ value, label: format.number(value, { notation: 'compact' }) }))}
    >
      {days.map(({ day, held }, index) => (
        <rect key={day} {...barAt(index, held, { days: days.length, end })} fill="var(--chart-quiet)" />
      ))}
      <path d={lineOf(decided, end)} strokeWidth={2.25} {...DECIDED} />
      <path d={dotsOf(decided, end)} strokeWidth={5} {...DECIDED} />
    </DayChart>
  )
}

const DECIDED = {
  fill: 'none',
  stroke: 'var(--chart-decided)',
  strokeLinecap: 'round',
  vectorEffect: 'non-scaling-stroke',
} as const
