'use client'
import type { ReactNode } from 'react'
import { ResponsiveContainer } from 'recharts'

interface ChartFrameProps {
  /** The chart's description, in a sentence; the figures are next to it. */
  label: string
  children: ReactNode
}

/** The frame that a chart fills: an image to screen readers. */
export function ChartFrame({ label, children }: ChartFrameProps) {
  return (
    <div role="img" aria-label={label} dir="ltr" className="h-[180px] phone:h-[140px]">
      <ResponsiveContainer width="100%" height="100%">
        {children}
      </ResponsiveContainer>
    </div>
  )
}

/** The margins of a chart within its frame, in pixels. */
export const CHART_MARGIN = { top: 6, right: 0, bottom: 0, left: 0 }
