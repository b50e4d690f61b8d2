'use client'
import { useFormatter, useTranslations } from 'use-intl'
import type { Insights } from '#server/modules/review/insights/schema.ts'
import { DayChart, dotsOf, lineOf } from './day-chart.tsx'
import { durationTicks, inUnits } from './round-ticks.ts'

interface SpansChartProps {
  days: Insights['days']
  targetMs: number | undefined
  label: string
}

/** A solid line for the median, a dotted one for the ninetieth percentile, a dashed horizontal one for the target. */
export function SpansChart({ days, targetMs, label }: SpansChartProps) {
  const t = useTranslations('insights')
  const format = useFormatter()
  const { unit, ticksMs } = durationTicks(Math.max(targetMs ?? 0, ...days.map(({ ninetiethMs = 0 }) => ninetiethMs)))
  const end = ticksMs.at(-1) ?? 1
  const ninetieths = days.map(({ ninetiethMs }) => ninetiethMs)
  const medians = days.map(({ medianMs }) => medianMs)
  const line = { fill: 'none', strokeLinecap: 'round', vectorEffect: 'non-scaling-stroke' } as const
  return (
    <DayChart
      label={label}
      days={days.map(({ day }) => day)}
      ticks={ticksMs.map((value) => ({
        value,
        label: value === 0 ? format.number(0) : t(`ticks.${unit}`, { count: inUnits(value, unit) }),
      }))}
    >
      {targetMs !== undefined && (
        <path {...line} d={lineAcross(targetMs, end)} stroke="var(--age-3)" strokeWidth={1.5} strokeDasharray="4 5" />
      )}
      <path
        {...line}
        d={lineOf(ninetieths, end)}
        stroke="var(--chart-held)"
        strokeWidth={2.5}
        strokeDasharray="0.1 4.5"
      />
      <path {...line} d={dotsOf(ninetieths, end)} stroke="var(--chart-held)" strokeWidth={5} />
      <path {...line} d={lineOf(medians, end)} stroke="var(--chart-decided)" strokeWidth={2.5} />
      <path {...line} d={dotsOf(medians, end)} stroke="var(--chart-decided)" strokeWidth={5} />
    </DayChart>
  )
}

const lineAcross = (value: number, end: number) => `M0 ${100 - (value / end) * 100}H100`
