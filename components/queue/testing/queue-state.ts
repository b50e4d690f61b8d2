import type { QueueItem, QueueView } from '#server/modules/review/queue/schema.ts'
import { itemIdOf } from '../state/item-id.ts'
import { type Decision, EMPTY_QUEUE_STATE, keyOf, type QueueState } from '../state/store/queue-state.ts'
import { type QueueEvent, reduceQueue } from '../state/store/reduce-queue.ts'
import type { ReadPage } from '../state/store/select-queue.ts'
import { queueItem } from './queue-item.ts'

export const NOW = 1_000_000

/** A decision that was delivered; a test sets the fields that matter to it. */
export function decision(given: Partial<Decision> = {}): Decision {
  const item = given.item ?? queueItem()
  return {
    key: keyOf(item),
    item,
    outcome: 'approved',
    input: { order: 'newest' },
    decidedAt: NOW,
    clientKey: `key of ${item.subjectId}`,
    step: 'held',
    ...given,
  }
}

/** The state after these events, beginning with the decisions given. */
export function after(events: QueueEvent[], decisions: Decision[] = []): QueueState {
  return events.reduce(reduceQueue, { ...EMPTY_QUEUE_STATE, decisions })
}

interface Occurrence {
  at?: number
  view?: QueueView
  current?: QueueItem
  isListed?: boolean
}

/** A live event about an item of a list. */
export function published(name: string, item: QueueItem, { at = 2, view, current, isListed = true }: Occurrence = {}) {
  const input = { order: 'newest', ...(view && { view }) } as const
  const shownId = current && itemIdOf(current)
  return { type: 'published', name, itemId: itemIdOf(item), isListed, input, shownId, at } as const
}

export function page(items: QueueItem[], requestedAt?: number): ReadPage {
  return { items, narrowedTo: {}, requestedAt }
}
