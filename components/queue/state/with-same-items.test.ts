import { expect, test } from 'vitest'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { queueItem } from '../testing/queue-item.ts'
import type { QueuePages } from './queue-queries.ts'
import { withSameItems } from './with-same-items.ts'

const list = (...pages: QueueItem[][]): QueuePages => ({
  pages: pages.map((items) => ({ items, narrowedTo: {} })),
  pageParams: pages.map(() => null),
})
const itemsOf = ({ pages }: QueuePages) => pages.flatMap(({ items }) => items)

test('keeps the same objects for items below a removed one', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((subjectId) => queueItem({ subjectId }))
  if (!a || !b || !c) throw new Error('no items')
  const [second, third] = itemsOf(withSameItems(list([a, b], [c]), structuredClone(list([b, c], []))))
  expect(second).toBe(b)
  expect(third).toBe(c)
})

test('replaces the object of an item that changed', () => {
  const before = queueItem({ subjectId: 'a', version: 1 })
  const [after] = itemsOf(withSameItems(list([before]), list([{ ...structuredClone(before), version: 2 }])))
  expect(after).toMatchObject({ subjectId: 'a', version: 2 })
  expect(after?.author).toBe(before.author)
})

test('uses a newly loaded list as it is', () => {
  const first = list([queueItem({ subjectId: 'a' })])
  expect(withSameItems(undefined, first)).toBe(first)
})
