import type { Order } from '#components/kit/addresses/queue-search.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { itemIdOf } from './item-id.ts'
import type { QueuePages } from './queue-queries.ts'

/** The list with this item: updated in its position, or inserted where the order puts it. */
export function withItem(list: QueuePages, item: QueueItem, order: Order): QueuePages {
  const isThis = (other: QueueItem) => itemIdOf(other) === itemIdOf(item)
  const holder = list.pages.findIndex(({ items }) => items.some(isThis))
  if (holder !== -1) return replaceItems(list, holder, (items) => items.map((other) => (isThis(other) ? item : other)))

  const comesAfter = (other: QueueItem) => compare(other, item, order) > 0
  const found = list.pages.findIndex(({ items }) => items.some(comesAfter))
  const page = found === -1 ? list.pages.length - 1 : found
  return replaceItems(list, page, (items) => {
    const index = items.findIndex(comesAfter)
    return items.toSpliced(index === -1 ? items.length : index, 0, item)
  })
}

function replaceItems(list: QueuePages, page: number, change: (items: QueueItem[]) => QueueItem[]): QueuePages {
  return {
    ...list,
    pages: list.pages.map((each, index) => (index === page ? { ...each, items: change(each.items) } : each)),
  }
}

/** By time held, newest first, then by id, comments before posts; oldest first is the exact reverse. */
function compare(a: QueueItem, b: QueueItem, order: Order): number {
  const byTime = Date.parse(b.heldAt) - Date.parse(a.heldAt)
  const newestFirst = byTime || (sortKey(a) < sortKey(b) ? -1 : 1)
  return order === 'newest' ? newestFirst : -newestFirst
}

const sortKey = ({ subjectId, subjectType }: QueueItem) => `${subjectId}\n${subjectType}`
