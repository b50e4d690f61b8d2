import type { Alike, QueueItem } from '#server/modules/review/queue/schema.ts'
import { keyOf, type QueueState } from './store/queue-state.ts'

/** The server counts up to so many with the same text: there are more. */
const NOT_COUNTED = 1_001

/**
 * One row for each group of items with the same text: the first in the list's order, with how many there still are. `read` are the items of
 * the pages: those that have left since no longer count. Groups in `separate` are listed item by item, without a count. A group is skipped as
 * a whole.
 */
export function foldedRows(
  rows: QueueItem[],
  read: QueueItem[],
  { separate, skipped }: Pick<QueueState, 'separate' | 'skipped'>,
): QueueItem[] {
  if (!read.some(({ alike }) => alike) && !rows.some(({ alike }) => alike)) return rows
  const isSkipped = new Set(read.flatMap((item) => (item.alike && skipped.has(keyOf(item)) ? item.alike.key : [])))
  const [listed, remaining] = [countByKey(read), countByKey(rows)]
  // Of more items than are counted, the count stays.
  const ofPages = new Set(read.filter((row) => !isUncounted(row)))
  const seen = new Set<string>()
  return rows.flatMap((row) => {
    if (!row.alike) return row
    const { key } = row.alike
    if (separate.has(key)) return without(row)
    if (seen.has(key) || isSkipped.has(key)) return []
    seen.add(key)
    const shown = remaining.get(key) ?? 0
    // An item that was read by itself since then has the count of that time.
    const gone = ofPages.has(row) ? (listed.get(key) ?? 0) - shown : 0
    const count = Math.max(shown, row.alike.count - gone)
    if (count === row.alike.count) return row
    return count > 1 ? { ...row, alike: { key, count } } : without(row)
  })
}

/**
 * How many items stand before each row: a group stands for all its items. Of one in a filtered list, `single` has those that match, as far as
 * pages have been read. Undefined after a group of more items than are counted.
 */
export function itemsBefore(rows: QueueItem[], single: QueueItem[], isFiltered: boolean): (number | undefined)[] {
  const matching = isFiltered ? countByKey(single) : undefined
  let before: number | undefined = 0
  return rows.map((row) => {
    const at = before
    const count = (row.alike && (matching?.get(row.alike.key) ?? row.alike.count)) ?? 1
    before = at === undefined || isUncounted(row) ? undefined : at + count
    return at
  })
}

const isUncounted = ({ alike }: QueueItem) => (alike?.count ?? 0) >= NOT_COUNTED

/**
 * The keys of groups whose listed items have all left, although more were held than the pages had: later pages leave out the rest of a large
 * group.
 */
export function orphanedKeys(listed: QueueItem[], read: QueueItem[]): string[] {
  const [left, known] = [countByKey(listed), countByKey(read)]
  const isOrphaned = ({ key, count }: Alike) => !left.has(key) && count > (known.get(key) ?? 0)
  return [...new Set(read.flatMap(({ alike }) => (alike && isOrphaned(alike) ? alike.key : [])))]
}

function without({ alike: _alike, ...row }: QueueItem): QueueItem {
  return row
}

function countByKey(items: QueueItem[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { alike } of items) if (alike) counts.set(alike.key, (counts.get(alike.key) ?? 0) + 1)
  return counts
}
