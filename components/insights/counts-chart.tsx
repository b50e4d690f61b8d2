'use client'
import { Bar, CartesianGrid, ComposedChart, Line, ResponsiveContainer, XAxis, YAxis } from 'recharts'
import { useFormatter } from 'use-intl'
import type { Insights } from '#server/modules/review/insights/schema.ts'
import { useAxes } from './use-axes.ts'

interface CountsChartProps {
  days: Insights['days']
  /** The chart's description, in a sentence; the figures are next to it. */
  label: string
}

/** Bars for held items, a line for decisions: different shapes, not only colours. */
export function CountsChart({ days, label }: CountsChartProps) {
  const format = useFormatter()
  const axes = useAxes()
  const drawn = days.map(({ day, held, approved, rejected }) => ({ day, held, decided: approved + rejected }))
  return (
    <div role="img" aria-label={label} dir="ltr" className="h-[180px] phone:h-[140px]">
      <ResponsiveContainer width="100%" height="100%">
        <ComposedChart data={drawn} accessibilityLayer={false} margin={{ top: 6, right: 0, bottom: 0, left: 0 }}>
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
      </ResponsiveContainer>
    </div>
  )
}
