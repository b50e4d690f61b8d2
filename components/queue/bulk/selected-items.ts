import type { PreviewedItem, SeenItem } from '#server/modules/review/bulk/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { itemIdOf } from '../item-id.ts'

/** The largest number of items in one bulk. */
export const SELECTION_LIMIT = 1_000

/** A selected item, as it was when it was selected. */
export interface SelectedItem extends SeenItem {
  authorName: string
  /** Whether the item can be decided, as far as is known. */
  isOpen: boolean
}

export interface SelectedItems {
  /** By item id, in the order of selection. */
  items: ReadonlyMap<string, SelectedItem>
  /** The start of the range, and the items selected besides it. */
  anchorId?: string
  beside: ReadonlyMap<string, SelectedItem>
  /** Whether more items match than one bulk can decide. */
  isCut: boolean
}

const NO_ITEMS: SelectedItems['items'] = new Map()
export const EMPTY_SELECTION: SelectedItems = { items: NO_ITEMS, beside: NO_ITEMS, isCut: false }

/** Toggles one item and makes it the start of the range. */
export function toggled(chosen: SelectedItems, row: QueueItem): SelectedItems {
  const items = new Map(chosen.items)
  const itemId = itemIdOf(row)
  if (!items.delete(itemId)) items.set(itemId, fromRow(row))
  return { items, anchorId: itemId, beside: items, isCut: false }
}

/** Selects every row from the start of the range to `to`; a shrinking range deselects the rows it no longer covers. */
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

/** Selects everything that matches, up to the limit. */
export function allOf(previewed: PreviewedItem[], isCut: boolean): SelectedItems {
  const items = new Map(previewed.map((item) => [itemIdOf(item), fromPreview(item)]))
  return { items, beside: items, isCut }
}

/** The selection without the items that are gone. */
export function without(chosen: SelectedItems, isGone: (item: SelectedItem) => boolean): SelectedItems {
  const left = (items: SelectedItems['items']) => new Map([...items].filter(([, item]) => !isGone(item)))
  const items = left(chosen.items)
  return items.size === chosen.items.size ? chosen : { ...chosen, items, beside: left(chosen.beside) }
}

function fromRow({ subjectType, subjectId, version, author, allowed }: QueueItem): SelectedItem {
  return { subjectType, subjectId, version, authorName: author.displayName, isOpen: allowed.length > 0 }
}

function fromPreview({ subjectType, subjectId, version, authorName, error }: PreviewedItem): SelectedItem {
  return { subjectType, subjectId, version, authorName, isOpen: error === undefined }
}
