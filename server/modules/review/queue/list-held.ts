import type { Ctx } from '#server/core/ctx.ts'
import { toCursor } from '#server/core/paging.ts'
import type { ListOptions } from '#server/modules/review/queue/kind.ts'
import { placeOf, positionOf, withShown } from '#server/modules/review/queue/position.ts'
import { type TextsWanted, toQueueItem } from '#server/modules/review/queue/queue-item.ts'
import { readFilterNames } from '#server/modules/review/queue/read-filter-names.ts'
import { type ListedRow, readQueuePage } from '#server/modules/review/queue/read-queue-page.ts'
import type { DeskQueueInput, QueueItem, QueuePage } from '#server/modules/review/queue/schema.ts'

/**
 * Pending comments and posts that are open to all reviewers, by the time they were held or the most urgent first, paged by cursor. Fails as
 * `listDeskQueue` does.
 */
export async function listHeld(
  ctx: Ctx,
  input: DeskQueueInput,
  { scanLimit = SCAN_LIMIT, isExport = false }: ListOptions,
): Promise<QueuePage> {
  const wanted = { words: input.text, isWhole: isExport }
  const position = positionOf(input)
  const shown = position?.shown ?? []
  const rows = await readQueuePage(ctx, input, { position, shown, scanLimit })

  const { items, last } = pageOf(ctx, input, { shown, rows, wanted })
  return {
    items,
    ...(last && { next: toCursor({ ...placeOf(input.order, last), ...(!isExport && withShown(shown, items)) }) }),
    narrowedTo: await readFilterNames(ctx, input, items[0]),
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
