'use client'
import { Bar, CartesianGrid, ComposedChart, Line, XAxis, YAxis } from 'recharts'
import { useFormatter } from 'use-intl'
import type { Insights } from '#server/modules/review/insights/schema.ts'
import { CHART_MARGIN, ChartFrame } from './chart-frame.tsx'
import { useAxes } from './use-axes.ts'

interface CountsChartProps {
  days: Insights['days']
  label: string
}

/** Bars for held items, a line for decisions: different shapes, not only colours. */
export function CountsChart({ days, label }: CountsChartProps) {
  const format = useFormatter()
  const axes = useAxes()
  const drawn = days.map(({ day, held, approved, rejected }) => ({ day, held, decided: approved + rejected }))
  return (
    <ChartFrame label={label}>
      <ComposedChart data={drawn} accessibilityLayer={false} margin={CHART_MARGIN}>
        <CartesianGrid {...axes.grid} />
        <XAxis {...axes.x} />
        <YAxis {...axes.y} allowDecimals={false} tickFormatter={(count: number) => format.number(count)} />
        <Bar dataKey="held" fill="var(--chart-quiet)" isAnimationActive={false} />
        <Line
          dataKey="decided"
          stroke="var(--chart-decided)"
          strokeWidth={2.25}
          dot={false}
          isAnimationActive={false}
        />
      </ComposedChart>
    </ChartFrame>
  )
}
