'use client'
import { CoveredLine } from '#components/kit/wellness/covered-text.tsx'

/** The beginning of a text by a member. */
export function Excerpt({ isFlagged = false, children }: { isFlagged?: boolean; children: string }) {
  return (
    <p dir="auto" className="line-clamp-3 max-w-[80ch] font-member wrap-anywhere text-ink-2">
      <CoveredLine isFlagged={isFlagged}>{children}</CoveredLine>
    </p>
  )
}
