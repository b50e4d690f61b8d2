import { expect, test } from 'vitest'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import type { QueuePages } from './queue-queries.ts'
import { queueItem } from './testing/queue-item.ts'
import { withItem } from './with-item.ts'

const at = (subjectId: string, hour: number) => queueItem({ subjectId, heldAt: `2026-11-15T0${hour}:00:00.000Z` })
const list = (...pages: QueueItem[][]): QueuePages => ({
  pages: pages.map((items) => ({ items, narrowedTo: {} })),
  pageParams: pages.map(() => null),
})
const idsOf = ({ pages }: QueuePages) => pages.map(({ items }) => items.map(({ subjectId }) => subjectId))

test('updates a row in place', () => {
  const renewed = withItem(list([at('a', 9), at('b', 8)]), { ...at('b', 8), version: 3 }, 'newest')
  expect(renewed.pages[0]?.items[1]).toMatchObject({ subjectId: 'b', version: 3 })
})

test('inserts a missing row by the sort order', () => {
  expect(idsOf(withItem(list([at('a', 9), at('c', 7)], [at('d', 5)]), at('b', 8), 'newest'))).toEqual([
    ['a', 'b', 'c'],
    ['d'],
  ])
  expect(idsOf(withItem(list([at('c', 7), at('a', 9)]), at('b', 8), 'oldest'))).toEqual([['c', 'b', 'a']])
})

test('appends a row that sorts last', () => {
  expect(idsOf(withItem(list([at('a', 9)], [at('b', 8)]), at('z', 1), 'newest'))).toEqual([['a'], ['b', 'z']])
})

test('sorts rows held at the same time by ID in either order', () => {
  expect(idsOf(withItem(list([at('a', 9), at('c', 9)]), at('b', 9), 'newest'))).toEqual([['a', 'b', 'c']])
  expect(idsOf(withItem(list([at('c', 9), at('a', 9)]), at('b', 9), 'oldest'))).toEqual([['c', 'b', 'a']])
})
