import { type Ctx, ensureLookedUp } from '#server/core/ctx.ts'
import { toCursor } from '#server/core/paging.ts'
import { listReports } from '#server/modules/review/queue/list-reports.ts'
import { type Position, positionOf } from '#server/modules/review/queue/position.ts'
import { type TextsWanted, toQueueItem } from '#server/modules/review/queue/queue-item.ts'
import { readFilterNames } from '#server/modules/review/queue/read-filter-names.ts'
import { type ListedRow, readQueuePage } from '#server/modules/review/queue/read-queue-page.ts'
import { isMixedView, listReportsInView } from '#server/modules/review/queue/reports-in-view.ts'
import type { DeskQueueInput, QueueItem, QueueOrder, QueuePage } from '#server/modules/review/queue/schema.ts'
import { urgentAt } from '#server/modules/review/urgency/schema.ts'

/**
 * The desk's queue: pending comments and posts of one community, or of all that the caller reviews, by the time they were held or the most
 * urgent first, paged by cursor; `listReports` lists reported items. Fails with NOT_FOUND for an unknown community, FORBIDDEN for one the
 * caller does not review, INVALID_PARAMETERS for an invalid cursor. `isExport`: with whole texts, and with the rest of large groups, which
 * later pages leave out otherwise.
 */
export async function listDeskQueue(
  ctx: Ctx,
  input: DeskQueueInput,
  { scanLimit = SCAN_LIMIT, isExport = false } = {},
): Promise<QueuePage> {
  const wanted = { words: input.text, isWhole: isExport }
  if (input.view === 'reported') return listReports(ctx, input, wanted)
  const position = positionOf(input)
  const shown = position?.shown ?? []
  const { view } = input
  const [rows, reports] = await Promise.all([
    readQueuePage(ctx, input, { position, shown, scanLimit }),
    isMixedView(view) ? listReportsInView(ctx, { ...input, view }, wanted) : [],
  ])
  if (rows.length + reports.length === 0) ensureLookedUp(ctx)

  const { items, last } = withReports(input, pageOf(ctx, input, { shown, rows, wanted }), reports)
  return {
    items,
    ...(last && { next: toCursor({ ...placeOf(input, last), ...(!isExport && withShown(shown, items)) }) }),
    narrowedTo: await readFilterNames(ctx, input, items[0]),
  }
}

function placeOf({ order }: DeskQueueInput, item: QueueItem): Position {
  const { heldAt, subjectType, subjectId } = item
  return {
    heldAt,
    subjectType,
    subjectId,
    ...(order === 'urgent' && { urgentAt: new Date(urgentAt(item)).toISOString() }),
    ...(order === 'score' && { score: item.score }),
  }
}

/** The most rows that a scan reads to find those of other groups. */
const SCAN_LIMIT = 20_000

/** The items of a page, and the one after which the next page starts, if there is one. */
interface Page {
  items: QueueItem[]
  last: QueueItem | undefined
}

function pageOf(
  ctx: Ctx,
  { limit }: DeskQueueInput,
  { shown, rows, wanted }: { shown: string[]; rows: ListedRow[]; wanted: TextsWanted },
): Page {
  const end = rows.findIndex(({ isEnd }) => isEnd)
  const known = end === -1 ? rows : rows.slice(0, end + 1)
  const listed = known.filter(({ textKey }) => textKey === null || !shown.includes(textKey)).slice(0, limit)
  const isMore = end !== -1 || rows.length > limit
  const last = listed.length === limit ? listed.at(-1) : known.at(-1)
  return {
    items: listed.map((row) => toQueueItem(ctx, row, wanted)),
    last: isMore && last ? toQueueItem(ctx, last) : undefined,
  }
}

/** From this size on, the rest of a group is left out of later pages; that of a smaller one is folded by the desk. */
const LARGE_GROUP = 20
const LARGEST_KEPT = 5

function withShown(shown: string[], items: QueueItem[]): { shown?: string[] } {
  const large = items.flatMap(({ alike }) => (alike && alike.count >= LARGE_GROUP ? alike : []))
  const keys = new Set([...shown, ...large.sort((a, b) => b.count - a.count).map(({ key }) => key)])
  return keys.size === 0 ? {} : { shown: [...keys].slice(0, LARGEST_KEPT) }
}

/** Held items and reports together, up to the item after which the next page of either starts. */
function withReports({ limit, order }: DeskQueueInput, held: Page, reports: QueueItem[]): Page {
  if (reports.length === 0) return held
  const compare = byPosition(order)
  const { last } = held
  const known = last ? reports.filter((report) => compare(report, last) < 0) : reports
  const found = [...held.items, ...known].sort(compare)
  const items = found.slice(0, limit)
  return { items, last: found.length > limit ? items.at(-1) : last }
}

/** The order of the statements below, for items of both. */
function byPosition(order: QueueOrder): (one: QueueItem, other: QueueItem) => number {
  const inOrder = (one: string, other: string) => Number(one > other) - Number(one < other)
  return (one, other) => {
    const byKey = inOrder(one.subjectId, other.subjectId) || inOrder(one.subjectType, other.subjectType)
    if (order === 'urgent') return urgentAt(one) - urgentAt(other) || byKey
    if (order === 'score') return (other.score ?? 0) - (one.score ?? 0) || byKey
    const newestFirst = Date.parse(other.heldAt) - Date.parse(one.heldAt) || byKey
    return order === 'newest' ? newestFirst : -newestFirst
  }
}
