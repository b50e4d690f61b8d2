import type { PreviewedItem, SeenItem } from '#server/modules/review/bulk/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { itemIdOf } from '../item-id.ts'

/** As many as are decided as one. */
export const SELECTION_LIMIT = 1_000

/** One that is chosen, as it was seen then. */
export interface SelectedItem extends SeenItem {
  authorName: string
  /** As far as is known, nothing speaks against deciding on it. */
  isOpen: boolean
}

export interface SelectedItems {
  /** By their ids, in the order in which they were chosen. */
  items: ReadonlyMap<string, SelectedItem>
  /** Where a range begins, and what was chosen beside it. */
  anchorId?: string
  beside: ReadonlyMap<string, SelectedItem>
  /** More match than can be decided as one. */
  isCut: boolean
}

const NO_ITEMS: SelectedItems['items'] = new Map()
export const EMPTY_SELECTION: SelectedItems = { items: NO_ITEMS, beside: NO_ITEMS, isCut: false }

/** Chooses one, or no longer; a range goes on from it. */
export function toggled(chosen: SelectedItems, row: QueueItem): SelectedItems {
  const items = new Map(chosen.items)
  const itemId = itemIdOf(row)
  if (!items.delete(itemId)) items.set(itemId, fromRow(row))
  return { items, anchorId: itemId, beside: items, isCut: false }
}

/** Chooses all from where the range begins to that row; a range that shrinks leaves what it held. */
export function extended(chosen: SelectedItems, rows: QueueItem[], from: number, to: number): SelectedItems {
  const anchored = rows.findIndex((row) => itemIdOf(row) === chosen.anchorId)
  const anchor = anchored === -1 ? from : anchored
  const begin = rows[anchor]
  if (!begin) return chosen
  const beside = anchored === -1 ? chosen.items : chosen.beside
  const items = new Map(beside)
  for (const row of rows.slice(Math.min(anchor, to), Math.max(anchor, to) + 1)) items.set(itemIdOf(row), fromRow(row))
  return { items, anchorId: itemIdOf(begin), beside, isCut: false }
}

/** All that match, as far as the limit goes. */
export function allOf(previewed: PreviewedItem[], isCut: boolean): SelectedItems {
  const items = new Map(previewed.map((item) => [itemIdOf(item), fromPreview(item)]))
  return { items, beside: items, isCut }
}

/** What is left of it without those. */
export function without(chosen: SelectedItems, isGone: (item: SelectedItem) => boolean): SelectedItems {
  const left = (items: SelectedItems['items']) => new Map([...items].filter(([, item]) => !isGone(item)))
  const items = left(chosen.items)
  return items.size === chosen.items.size ? chosen : { ...chosen, items, beside: left(chosen.beside) }
}

function fromRow({ subjectType, subjectId, version, author, allowed }: QueueItem): SelectedItem {
  return { subjectType, subjectId, version, authorName: author.displayName, isOpen: allowed.length > 0 }
}

function fromPreview({ subjectType, subjectId, version, authorName, refusal }: PreviewedItem): SelectedItem {
  return { subjectType, subjectId, version, authorName, isOpen: refusal === undefined }
}
