import type { QueueInput } from '#components/kit/addresses/queue-search.ts'
import type { SeenItem } from '#server/modules/review/bulk/schema.ts'
import type { ChangedFacts, Outcome, Subject } from '#server/modules/review/decisions/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { itemIdOf } from '../item-id.ts'
import { EMPTY_SELECTION, type SelectedItems } from '../selected-items.ts'

/** What this page knows about the queue besides the pages that were read. `select-queue.ts` combines the two. */
export interface QueueState {
  /** In the order they were made. */
  decisions: Decision[]
  /** The keys of skipped items. */
  skipped: ReadonlySet<string>
  bulks: StartedBulk[]
  /** What happened to listed items after their page was requested, by view and item id. */
  changes: ReadonlyMap<string, ItemChange>
  selected: Selected
  /** The keys of groups that are listed item by item. */
  separate: ReadonlySet<string>
}

/** One decision made on this page in this session. */
export interface Decision {
  key: string
  item: QueueItem
  outcome: Outcome
  /** The list the item was decided in, and returns to after an undo. */
  input: QueueInput
  decidedAt: number
  /** The idempotency key: the decision is made once, however often it is sent. */
  clientKey: string
  why?: Why | undefined
  /** A rejection of something approved earlier: it was in no list and returns to none. */
  isReversal?: boolean
  /** The item selected next. */
  ledTo?: string | undefined
  /**
   * `waiting`: connection lost, will retry. `final`: too late to undo. `overtaken`: somebody else decided first. `lost`: it never arrived.
   */
  step: 'sending' | 'waiting' | 'held' | 'undoing' | 'final' | 'overtaken' | 'lost'
  /** The earlier decision by somebody else. */
  facts?: ChangedFacts
  isDismissed?: boolean
}

/** Why an item is rejected: a managed reason, free text, or both, and the text that is shown. */
export interface Why {
  reasonId?: string
  reason?: string
  label: string
  textToAuthor?: string
}

/** A bulk started on this page. Its items are hidden; those that could not be decided come back when it ends. */
export interface StartedBulk {
  bulkId: string
  at: number
  /** The list the items were selected in. */
  input: QueueInput
  items: SeenItem[]
  /** Whether items with the same text stay: the lists are read again, because a page may have left them out. */
  isRestLeft?: boolean
}

/** What happened to an item in the lists of one view. Pages requested later already include it. */
export interface ItemChange {
  /** By the page's clock, as `requestedAt` of pages. */
  at: number
  /** `leaving`: it left, but stays while it is the current item. `returned`: it left and is pending again, in pages read from now on. */
  presence: 'listed' | 'leaving' | 'left' | 'returned'
  /** The item as it was last read by itself. */
  item?: QueueItem
  /** The list it was put into, even if no page of it contains it. */
  listId?: string
}

/** The items selected for a bulk action. They belong to one list: another starts with an empty selection. */
export interface Selected {
  listId: string
  chosen: SelectedItems
  /** How many items left because they are no longer pending. */
  left: number
  /** Whether the limit kept another item from being selected. */
  isFull: boolean
  /** Whether rows show their checkboxes while nothing is selected. */
  isOn: boolean
}

export const NOTHING_SELECTED = { chosen: EMPTY_SELECTION, left: 0, isFull: false, isOn: false }

export const EMPTY_QUEUE_STATE: QueueState = {
  decisions: [],
  skipped: new Set(),
  bulks: [],
  changes: new Map(),
  selected: { listId: '', ...NOTHING_SELECTED },
  separate: new Set(),
}

/** Identifies an item at one version: held again or edited, it needs a new decision. */
export function keyOf(item: Subject & { version: number }): string {
  return `${itemIdOf(item)} ${item.version}`
}

export function listIdOf(input: QueueInput): string {
  return JSON.stringify(input)
}
