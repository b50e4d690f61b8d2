import type { Order } from '#components/kit/addresses/queue-search.ts'

interface Held {
  heldAt: string
}

/** Where the list crosses a service target: the index of the first row on the far side; undefined if no loaded row is. */
export function targetIndex(
  rows: Held[],
  order: Order,
  { now, targetMs }: { now: number; targetMs: number },
): number | undefined {
  // By urgency or score, what exceeds the target is anywhere.
  if (order === 'urgent' || order === 'score') return undefined
  const isPast = ({ heldAt }: Held) => now - Date.parse(heldAt) >= targetMs
  const index = rows.findIndex((row) => isPast(row) === (order === 'newest'))
  return index === -1 ? undefined : index
}

interface Line {
  /** How many items stand before it; undefined if that isn't known. */
  before: number | undefined
  order: Order
  total: number
}

/** How many items exceed the target: with newest first, all that follow the line; with oldest first, all before it. Undefined if not known. */
export function pastTarget({ before, order, total }: Line): number | undefined {
  return before !== undefined && order === 'newest' ? total - before : before
}
