import { replaceEqualDeep } from '@tanstack/react-query'
import { itemIdOf } from './item-id.ts'
import type { QueuePages } from './queue-queries.ts'

/**
 * The list as it is now, with the very same items where these are equal to what they were, wherever they stand by now. What goes by
 * their places, as queries do by themselves, makes every item below one that has left another, and each of their rows is drawn again.
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
