import type { Subject } from '#server/modules/review/schema.ts'
import { idOf } from './item-id.ts'
import type { QueuePages } from './queue-queries.ts'

/** The list without these items; the very same list where none of them is in it. */
export function withoutItems(list: QueuePages, gone: Subject[]): QueuePages {
  const ids = new Set(gone.map(idOf))
  const isGone = (item: Subject) => ids.has(idOf(item))
  if (!list.pages.some(({ items }) => items.some(isGone))) return list
  return {
    ...list,
    pages: list.pages.map((page) =>
      page.items.some(isGone) ? { ...page, items: page.items.filter((item) => !isGone(item)) } : page,
    ),
  }
}
