import type { Subject } from '#server/modules/review/schema.ts'
import { idOf } from './item-id.ts'
import type { QueuePages } from './queue-queries.ts'

/** The list without this item; the very same list where it is not in it. */
export function withoutItem(list: QueuePages, subject: Subject): QueuePages {
  const isThis = (other: Subject) => idOf(other) === idOf(subject)
  if (!list.pages.some(({ items }) => items.some(isThis))) return list
  return {
    ...list,
    pages: list.pages.map((page) =>
      page.items.some(isThis) ? { ...page, items: page.items.filter((item) => !isThis(item)) } : page,
    ),
  }
}
