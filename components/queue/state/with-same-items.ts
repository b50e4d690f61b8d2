import { type InfiniteData, replaceEqualDeep } from '@tanstack/react-query'
import type { QueuePage } from '#server/modules/review/queue/schema.ts'
import { itemIdOf } from './item-id.ts'

/**
 * The new list, reusing the same object for every item that is equal to before, wherever it is in the list. Structural sharing in React
 * Query compares by index: after one item leaves, every item below would be a new object and its row would re-render.
 */
export function withSameItems<Position>(
  before: InfiniteData<QueuePage> | undefined,
  after: InfiniteData<QueuePage, Position>,
): InfiniteData<QueuePage, Position> {
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
