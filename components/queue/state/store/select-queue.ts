import { UNDO_WINDOW_MS } from '#components/kit/acts/undo-window.ts'
import type { Order, QueueInput } from '#components/kit/addresses/queue-search.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import type { QueueItem, QueuePage, QueueView } from '#server/modules/review/queue/schema.ts'
import { urgentAt } from '#server/modules/review/urgency/schema.ts'
import { itemIdOf } from '../item-id.ts'
import { withoutItems } from '../selected-items.ts'
import {
  type Decision,
  type ItemChange,
  keyOf,
  listIdOf,
  NOTHING_SELECTED,
  type QueueState,
  type Selected,
} from './queue-state.ts'

/** A page of a list. Without `requestedAt`, as rendered by the server, it's older than any change. */
export type ReadPage = QueuePage & { requestedAt?: number | undefined }

type Changes = QueueState['changes']

/** Identifies an item, or its id, in the lists of one view. */
export function changeKey(view: QueueView | undefined, item: Subject | string): string {
  return `${view ?? 'waiting'} ${typeof item === 'string' ? item : itemIdOf(item)}`
}

/** The change of an item that its page doesn't include yet. */
function changeSince(changes: Changes, view: QueueView | undefined, item: Subject, { requestedAt = 0 }: ReadPage) {
  const change = changes.get(changeKey(view, item))
  return change && change.at >= requestedAt ? change : undefined
}

const hasLeft = (change: ItemChange | undefined) => change?.presence === 'left' || change?.presence === 'returned'

/** A list page by page, as it is now. */
export interface ListedItems {
  pages: QueueItem[][]
  /** The ids of items that left and are pending again: they are shown once the list is read again. */
  returned: string[]
  changes: Changes
  /** Whether the end of the list is read. */
  isWhole: boolean
}

/** The pages with everything that happened since they were requested. */
export function listedItems(read: readonly ReadPage[], input: QueueInput, changes: Changes): ListedItems {
  const returned: string[] = []
  const seen = new Set<string>()
  const pages = read.map((page) =>
    page.items.flatMap((item) => {
      // One that became less urgent between two pages is on both.
      if (seen.has(itemIdOf(item))) return []
      seen.add(itemIdOf(item))
      const change = changeSince(changes, input.view, item, page)
      if (change?.presence === 'returned') returned.push(itemIdOf(item))
      return hasLeft(change) ? [] : [change?.item ?? item]
    }),
  )

  const listId = listIdOf(input)
  const ids = new Set(pages.flat().map(itemIdOf))
  for (const change of changes.values()) {
    const { item, at } = change
    if (change.listId !== listId || !item || hasLeft(change) || ids.has(itemIdOf(item))) continue
    const comesAfter = (other: QueueItem) => compare(other, item, input.order) > 0
    const found = pages.findIndex((items) => items.some(comesAfter))
    const index = found === -1 ? pages.length - 1 : found
    const items = pages[index]
    // A page requested later would contain the item if it still belonged there.
    if (!items || at < (read[index]?.requestedAt ?? 0)) continue
    const position = items.findIndex(comesAfter)
    pages[index] = items.toSpliced(position === -1 ? items.length : position, 0, item)
  }
  return { pages, returned, changes, isWhole: read.at(-1)?.next === undefined }
}

/** By time held, newest first, by urgency or by score; then by id, comments before posts. Oldest first is the exact reverse of newest first. */
function compare(a: QueueItem, b: QueueItem, order: Order): number {
  const byId = sortKey(a) < sortKey(b) ? -1 : 1
  if (order === 'urgent') return urgentAt(a) - urgentAt(b) || byId
  if (order === 'score') return (b.score ?? 0) - (a.score ?? 0) || byId
  const newestFirst = Date.parse(b.heldAt) - Date.parse(a.heldAt) || byId
  return order === 'newest' ? newestFirst : -newestFirst
}

const sortKey = ({ subjectId, subjectType }: QueueItem) => `${subjectId}\n${subjectType}`

/** The rows of a list: without those just decided or skipped here, or being decided in a bulk. */
export function visibleRows({ pages }: ListedItems, hidden: Pick<QueueState, 'decisions' | 'skipped' | 'bulks'>) {
  const keys = [
    goneKeys(hidden.decisions),
    hidden.skipped,
    new Set(hidden.bulks.flatMap(({ items }) => items.map(keyOf))),
  ]
  return pages.flat().filter((item) => keys.every((gone) => !gone.has(keyOf(item))))
}

/**
 * Items held since the list was read, or more urgent or with a higher score than its end since, by id, given its beginning as read again. With oldest first, they
 * come at the end by themselves.
 */
export function arrivals(
  { order, view }: QueueInput,
  { pages, returned, changes, isWhole }: ListedItems,
  rows: QueueItem[],
  latest: ReadPage | undefined,
): Set<string> {
  if (order === 'oldest' || !latest || pages.length === 0) return new Set(returned)
  const read = pages.flat()
  const known = new Set(read.map(itemIdOf))
  const isShown = new Set(rows.map(itemIdOf))
  const keys = new Set(read.map(keyOf))
  const newest = pages[0]?.[0]?.heldAt ?? ''
  const last = read.at(-1)
  const belongs = (item: QueueItem) =>
    order === 'newest' ? item.heldAt >= newest : isWhole || !last || compare(item, last, order) < 0
  // An item that was decided here and is held again needs a new decision.
  const cameAgain = (item: QueueItem) => !isShown.has(itemIdOf(item)) && !keys.has(keyOf(item))
  const isNew = (item: QueueItem) =>
    (!known.has(itemIdOf(item)) || cameAgain(item)) &&
    belongs(item) &&
    !hasLeft(changeSince(changes, view, item, latest))
  return new Set([...latest.items.filter(isNew).map(itemIdOf), ...returned])
}

/** The selection of this list, without the items that were decided or skipped here since they were selected. */
export function selectedIn(
  { selected, decisions, skipped }: Pick<QueueState, 'selected' | 'decisions' | 'skipped'>,
  input: QueueInput,
): Selected {
  const listId = listIdOf(input)
  if (selected.listId !== listId) return { listId, ...NOTHING_SELECTED }
  const gone = goneKeys(decisions)
  return {
    ...selected,
    chosen: withoutItems(selected.chosen, (item) => gone.has(keyOf(item)) || skipped.has(keyOf(item))),
  }
}

/** The keys of the items that left the list: decided here, or by somebody else. */
export function goneKeys(decisions: Decision[]): Set<string> {
  return new Set(decisions.filter(isGone).map(({ key }) => key))
}

function isGone({ step, facts }: Decision): boolean {
  if (step === 'overtaken') return facts?.decision !== undefined
  return step === 'sending' || step === 'waiting' || step === 'held' || step === 'final'
}

/** Decisions that can still be undone, latest first. Unsent decisions can always be undone. */
export function undoable(decisions: Decision[], now: number): Decision[] {
  const isOpen = ({ step, decidedAt }: Decision) =>
    step === 'waiting' || ((step === 'sending' || step === 'held') && now - decidedAt < UNDO_WINDOW_MS)
  return decisions.filter(isOpen).reverse()
}

/**
 * Whether an undo is on its way that makes the item pending again: what is read of it until then may still contain the decision. What a
 * reversal was about is decided before and after its undo.
 */
export function isBeingUndone(decisions: Decision[], itemId: string | undefined): boolean {
  return decisions.some(({ item, step, isReversal }) => step === 'undoing' && !isReversal && itemIdOf(item) === itemId)
}

/** Decisions to send once the connection is back, in the order they were made. */
export function waiting(decisions: Decision[]): Decision[] {
  return decisions.filter(({ step }) => step === 'waiting')
}

/** Failed decisions that haven't been dismissed. */
export function failed(decisions: Decision[]): Decision[] {
  return decisions.filter(({ step, isDismissed }) => !isDismissed && (step === 'overtaken' || step === 'lost'))
}
