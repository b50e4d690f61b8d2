'use client'
import { useTranslations } from 'use-intl'
import type { Outcome } from '#server/modules/review/decisions/schema.ts'

const STEP = 10
const BAR = { width: 7, height: 11 }

interface TallyProps {
  decisions: { decisionId: string; outcome: Outcome }[]
  /** Whether the text beside it counts the same ones, which a screen reader would say twice. */
  isCounted?: boolean
}

/** One mark per decision, oldest first: approved above the line, rejected below. */
export function Tally({ decisions, isCounted = false }: TallyProps) {
  const t = useTranslations('queue')
  const approved = decisions.filter(({ outcome }) => outcome === 'approved').length
  const label = t('tally', { count: decisions.length, approved, rejected: decisions.length - approved })
  return (
    <svg
      viewBox="0 0 276 30"
      preserveAspectRatio="xMinYMid meet"
      role="img"
      aria-label={label}
      aria-hidden={isCounted}
      className="block h-[30px] w-full rtl:-scale-x-100"
    >
      <path d="M0 15h276" stroke="var(--line-strong)" />
      {decisions.toReversed().map(({ decisionId, outcome }, index) => (
        <rect
          key={decisionId}
          x={index * STEP}
          y={outcome === 'approved' ? 2 : 17}
          {...BAR}
          fill={outcome === 'approved' ? 'var(--approve)' : 'var(--reject)'}
        />
      ))}
    </svg>
  )
}
