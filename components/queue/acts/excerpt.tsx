import { CoveredLine } from '#components/kit/wellness/covered-text.tsx'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'

/** The item the dialog is about, in a few lines. */
export function Excerpt({ item }: { item: QueueItem }) {
  return (
    <blockquote
      dir="auto"
      className="line-clamp-3 border-s-2 border-line-strong ps-2.5 font-member wrap-anywhere text-ink-2"
    >
      <CoveredLine isFlagged={item.flagCount > 0}>{item.title ?? item.text}</CoveredLine>
    </blockquote>
  )
}
