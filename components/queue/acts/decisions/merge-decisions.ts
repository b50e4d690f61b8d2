import type { PastDecision, ReviewItem, SameWords } from '#server/modules/review/items/schema.ts'
import { itemIdOf } from '../../state/item-id.ts'

/** Showing more would push colleagues' notes out of view. */
const LINES_SHOWN = 3

interface MergedDecisions {
  /** The author's latest decisions. `isSameText` if the text was that of the open item. */
  lines: (PastDecision & { isSameText: boolean })[]
  /** Decisions on the same text that aren't among them. */
  sameWords: SameWords[]
}

/** Shows each decision once: those on the open item in its history, those on its author in their list, the others by their text. */
export function mergeDecisions({ item, decided, author, sameWords }: ReviewItem): MergedDecisions {
  const itemId = itemIdOf(item)
  const keyOf = (decision: PastDecision | SameWords) => `${itemIdOf(decision)} ${decision.decidedAt}`
  const same = new Set(sameWords.map(keyOf))
  const lines = author.decisions.latest
    .filter((decision) => itemIdOf(decision) !== itemId)
    .slice(0, LINES_SHOWN)
    .map((decision) => ({ ...decision, isSameText: same.has(keyOf(decision)) }))
  const shown = new Set(lines.map(keyOf))
  return {
    lines,
    // Of a pending item, its own earlier decision says that the text is unchanged since.
    sameWords: sameWords.filter((one) => !shown.has(keyOf(one)) && !(decided && itemIdOf(one) === itemId)),
  }
}
