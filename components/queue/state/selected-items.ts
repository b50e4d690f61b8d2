import { isException } from '#components/kit/bulks/exceptions.ts'
import type { PreviewedItem, SeenItem } from '#server/modules/review/bulk/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { itemIdOf } from './item-id.ts'

/** The largest number of items in one bulk. */
export const SELECTION_LIMIT = 1_000

/** A selected item, as it was when it was selected. */
export interface SelectedItem extends SeenItem {
  authorName: string
  /** Whether the item can be decided, as far as is known. */
  isOpen: boolean
  /** The group with the same text that it belongs to. */
  alikeKey?: string | undefined
}

/** What a group's row selects: the items that would be decided together. `apart` is how many of the group are left out. */
export interface SelectedGroup {
  items: SelectedItem[]
  apart: number
}

export interface SelectedItems {
  /** By item id, in the order of selection. */
  items: ReadonlyMap<string, SelectedItem>
  /** The start of the range, and the items selected besides it. */
  anchorId?: string
  beside: ReadonlyMap<string, SelectedItem>
  /** The selected groups that have been read, by key. Of the others only the row's own item is selected. */
  groups: ReadonlyMap<string, SelectedGroup>
  /** Whether more items match than one bulk can decide. */
  isCut: boolean
}

const NO_ITEMS: SelectedItems['items'] = new Map()
const NO_GROUPS: SelectedItems['groups'] = new Map()
export const EMPTY_SELECTION: SelectedItems = { items: NO_ITEMS, beside: NO_ITEMS, groups: NO_GROUPS, isCut: false }

/** Whether a row is selected: its item, or items of its group. */
export function isSelected({ items }: Pick<SelectedItems, 'items'>, row: QueueItem): boolean {
  const key = row.alike?.key
  return key === undefined ? items.has(itemIdOf(row)) : hasGroup(items, key)
}

/** Toggles one row and makes it the start of the range. */
export function toggled(chosen: SelectedItems, row: QueueItem): SelectedItems {
  const itemId = itemIdOf(row)
  const key = row.alike?.key
  const groups = new Map(chosen.groups)
  const isOf = (id: string, { alikeKey }: SelectedItem) => (key === undefined ? id === itemId : alikeKey === key)
  const others = [...chosen.items].filter(([id, item]) => !isOf(id, item))
  const isOn = isSelected(chosen, row)
  if (isOn && key !== undefined) groups.delete(key)
  const items = new Map(isOn ? others : [...others, ...entriesOf(chosen, row)])
  return { items, anchorId: itemId, beside: items, groups, isCut: false }
}

/** Selects every row from the start of the range to `to`; a shrinking range deselects the rows it no longer covers. */
export function extendSelection(chosen: SelectedItems, rows: QueueItem[], from: number, to: number): SelectedItems {
  const anchored = rows.findIndex((row) => itemIdOf(row) === chosen.anchorId)
  const anchor = anchored === -1 ? from : anchored
  const begin = rows[anchor]
  if (!begin) return chosen
  const beside = anchored === -1 ? chosen.items : chosen.beside
  const items = new Map(beside)
  for (const row of rows.slice(Math.min(anchor, to), Math.max(anchor, to) + 1))
    for (const [itemId, item] of entriesOf(chosen, row)) items.set(itemId, item)
  return { items, anchorId: itemIdOf(begin), beside, groups: chosen.groups, isCut: false }
}

/** One selected item of each group that has not been read. */
export function unreadGroups({ items, groups }: SelectedItems): SelectedItem[] {
  const unread = new Map<string, SelectedItem>()
  for (const item of items.values()) {
    const { alikeKey } = item
    if (alikeKey !== undefined && !groups.has(alikeKey)) unread.set(alikeKey, item)
  }
  return [...unread.values()]
}

/** The selection with these groups, which have been read, in full. One that was deselected since then stays so. */
export function withGroups(
  chosen: SelectedItems,
  read: { keys: string[]; items: PreviewedItem[]; isCut: boolean },
): SelectedItems {
  const groups = new Map(chosen.groups)
  for (const key of read.keys.filter((key) => hasGroup(chosen.items, key))) {
    const found = read.items.filter(({ alikeKey }) => alikeKey === key)
    const items = found.filter((item) => !isException(item)).map(fromPreview)
    groups.set(key, { items, apart: found.length - items.length })
  }
  const isRead = ({ alikeKey }: SelectedItem) => alikeKey !== undefined && read.keys.includes(alikeKey)
  const inFull = (items: SelectedItems['items']) => {
    const others = [...items].filter(([, item]) => !isRead(item))
    const members = read.keys.flatMap((key) => (hasGroup(items, key) ? (groups.get(key)?.items ?? []) : []))
    return new Map([...others, ...members.map((item) => [itemIdOf(item), item] as const)])
  }
  return { ...chosen, items: inFull(chosen.items), beside: inFull(chosen.beside), groups, isCut: read.isCut }
}

const hasGroup = (items: SelectedItems['items'], key: string) =>
  [...items.values()].some(({ alikeKey }) => alikeKey === key)

/** How many items of the selected groups are left out, because they need separate decisions. */
export function countLeftOut({ items, groups }: SelectedItems): number {
  const keys = new Set([...items.values()].map(({ alikeKey }) => alikeKey))
  return [...groups].reduce((sum, [key, { apart }]) => sum + (keys.has(key) ? apart : 0), 0)
}

/** What the row selects, as far as is known. */
function entriesOf({ groups }: SelectedItems, row: QueueItem): [string, SelectedItem][] {
  const group = row.alike && groups.get(row.alike.key)
  return (group?.items ?? [fromRow(row)]).map((item) => [itemIdOf(item), item])
}

/** Selects everything that matches, up to the limit. */
export function selectAll(previewed: PreviewedItem[], isCut: boolean): SelectedItems {
  const items = new Map(previewed.map((item) => [itemIdOf(item), fromPreview(item)]))
  // Of a group, what matches is selected, also what deciding the group would leave out.
  const groups = new Map<string, SelectedGroup>()
  for (const item of items.values()) {
    if (item.alikeKey === undefined) continue
    const group = groups.get(item.alikeKey) ?? { items: [], apart: 0 }
    group.items.push(item)
    groups.set(item.alikeKey, group)
  }
  return { items, beside: items, groups, isCut }
}

/** The selection without the items that are gone. */
export function withoutItems(chosen: SelectedItems, isGone: (item: SelectedItem) => boolean): SelectedItems {
  const left = (items: SelectedItems['items']) => new Map([...items].filter(([, item]) => !isGone(item)))
  const items = left(chosen.items)
  return items.size === chosen.items.size ? chosen : { ...chosen, items, beside: left(chosen.beside) }
}

function fromRow({ subjectType, subjectId, version, author, allowed, alike }: QueueItem): SelectedItem {
  const isOpen = allowed.length > 0
  return { subjectType, subjectId, version, authorName: author.displayName, isOpen, alikeKey: alike?.key }
}

function fromPreview({ subjectType, subjectId, version, authorName, error, alikeKey }: PreviewedItem): SelectedItem {
  return { subjectType, subjectId, version, authorName, isOpen: error === undefined, alikeKey }
}
