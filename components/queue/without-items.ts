import type { QueuePage, Subject } from '#server/modules/review/queue/schema.ts'
import { itemIdOf } from './item-id.ts'
import type { QueuePages } from './queue-queries.ts'

/** The list without these items; returns the same object if none of them is in it. */
export function withoutItems(list: QueuePages, gone: Subject[]): QueuePages {
  const pages = list.pages.map((page) => pageWithout(page, gone))
  return pages.every((page, index) => page === list.pages[index]) ? list : { ...list, pages }
}

/** The same for one page. */
export function pageWithout(page: QueuePage, gone: Subject[]): QueuePage {
  const ids = new Set(gone.map(itemIdOf))
  const items = page.items.filter((item) => !ids.has(itemIdOf(item)))
  return items.length === page.items.length ? page : { ...page, items }
}
