import { expect, test } from 'vitest'
import { BULK_LIMIT } from '#server/modules/review/bulk/schema.ts'
import { queueItem } from '../testing/queue-item.ts'
import { allOf, EMPTY_SELECTION, extended, SELECTION_LIMIT, toggled, without } from './selected-items.ts'

const rows = ['a', 'b', 'c', 'd', 'e'].map((subjectId) => queueItem({ subjectId }))
const row = (index: number) => rows[index] ?? queueItem()
const idsOf = ({ items }: { items: ReadonlyMap<string, { subjectId: string }> }) =>
  [...items.values()]
    .map(({ subjectId }) => subjectId)
    .sort()
    .join('')

test('selects and deselects one item', () => {
  const one = toggled(EMPTY_SELECTION, row(1))
  expect([idsOf(one), idsOf(toggled(one, row(1)))]).toEqual(['b', ''])
})

test('a range follows the focus and keeps the rest of the selection', () => {
  const begun = toggled(toggled(EMPTY_SELECTION, row(4)), row(1))
  const down = extended(begun, rows, 1, 3)
  const back = extended(down, rows, 3, 2)
  const over = extended(back, rows, 2, 0)
  expect([down, back, over].map(idsOf)).toEqual(['bcde', 'bce', 'abe'])
})

test('a range without a start begins at the current item', () => {
  expect(idsOf(extended(EMPTY_SELECTION, rows, 2, 3))).toBe('cd')
})

test('deselects removed items for good', () => {
  const three = extended(toggled(EMPTY_SELECTION, row(0)), rows, 0, 2)
  const left = without(three, ({ subjectId }) => subjectId === 'b')
  expect(idsOf(left)).toBe('ac')
  expect(idsOf(extended(left, rows.toSpliced(1, 1), 1, 2))).toBe('acd')
  expect(without(left, () => false)).toBe(left)
})

test('marks selected items the person cannot decide', () => {
  const own = toggled(EMPTY_SELECTION, queueItem({ allowed: [] }))
  expect([...own.items.values()].map(({ isOpen }) => isOpen)).toEqual([false])
  const seen = {
    subjectType: 'comment',
    version: 3,
    excerpt: '',
    isFlagged: false,
    authorName: 'A',
    communityName: 'H',
  } as const
  const all = allOf(
    [
      { ...seen, subjectId: '1' },
      { ...seen, subjectId: '2', error: 'FORBIDDEN' },
    ],
    true,
  )
  expect([...all.items.values()].map(({ isOpen }) => isOpen)).toEqual([true, false])
  expect(all.isCut).toBe(true)
})

test('limits the selection to what one bulk action can process', () => {
  expect(SELECTION_LIMIT).toBe(BULK_LIMIT)
})
