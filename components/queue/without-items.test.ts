import { expect, test } from 'vitest'
import type { QueuePages } from './queue-queries.ts'
import { queueItem } from './testing/queue-item.ts'
import { withoutItems } from './without-items.ts'

const list = (...pages: string[][]): QueuePages => ({
  pages: pages.map((ids) => ({ items: ids.map((subjectId) => queueItem({ subjectId })), narrowedTo: {} })),
  pageParams: pages.map(() => null),
})
const comment = (subjectId: string) => ({ subjectType: 'comment', subjectId }) as const

test('removes items from every page they are on', () => {
  const { pages } = withoutItems(list(['a', 'b'], ['c']), [comment('b'), comment('c')])
  expect(pages.map(({ items }) => items.map(({ subjectId }) => subjectId))).toEqual([['a'], []])
})

test('keeps the same list object when nothing is removed', () => {
  const before = list(['a', 'b'])
  expect(withoutItems(before, [comment('z'), { subjectType: 'post', subjectId: 'a' }])).toBe(before)
})
