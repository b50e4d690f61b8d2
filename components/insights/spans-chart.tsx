'use client'
import { CartesianGrid, Line, LineChart, ReferenceLine, XAxis, YAxis } from 'recharts'
import { useSpan } from '#components/i18n/use-span.ts'
import type { Insights } from '#server/modules/review/insights/schema.ts'
import { CHART_MARGIN, ChartFrame } from './chart-frame.tsx'
import { useAxes } from './use-axes.ts'

interface SpansChartProps {
  days: Insights['days']
  targetMs: number | undefined
  label: string
}

/** A solid line for the median, a dotted one for the ninetieth percentile, a dashed horizontal one for the target. */
export function SpansChart({ days, targetMs, label }: SpansChartProps) {
  const span = useSpan()
  const axes = useAxes()
  return (
    <ChartFrame label={label}>
      <LineChart data={days} accessibilityLayer={false} margin={CHART_MARGIN}>
        <CartesianGrid {...axes.grid} />
        <XAxis {...axes.x} />
        <YAxis {...axes.y} tickFormatter={(ms: number) => span(ms)} />
        {targetMs !== undefined && <ReferenceLine y={targetMs} stroke="var(--age-3)" strokeDasharray="4 4" />}
        {/* A day between days without decisions is drawn as a point. */}
        <Line
          dataKey="ninetiethMs"
          stroke="var(--chart-held)"
          strokeWidth={2}
          strokeDasharray="2 3"
          dot={{ r: 1.5, strokeDasharray: 'none' }}
          isAnimationActive={false}
        />
        <Line
          dataKey="medianMs"
          stroke="var(--chart-decided)"
          strokeWidth={2.5}
          dot={{ r: 1.5 }}
          isAnimationActive={false}
        />
      </LineChart>
    </ChartFrame>
  )
}
