import { replaceEqualDeep } from '@tanstack/react-query'
import { itemIdOf } from './item-id.ts'
import type { QueuePages } from './queue-pages.ts'

/**
 * The new list, reusing the same object for every item that is equal to before, wherever it is in the list. Structural sharing in React
 * Query compares by index: after one item leaves, every item below would be a new object and its row would re-render.
 */
export function withSameItems(before: QueuePages | undefined, after: QueuePages): QueuePages {
  if (!before) return after
  const known = new Map(before.pages.flatMap(({ items }) => items.map((item) => [itemIdOf(item), item])))
  return {
    ...after,
    pages: after.pages.map((page) => ({
      ...page,
      items: page.items.map((item) => replaceEqualDeep(known.get(itemIdOf(item)), item)),
    })),
  }
}
