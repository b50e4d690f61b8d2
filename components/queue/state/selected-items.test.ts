import { expect, test } from 'vitest'
import { BULK_LIMIT, type PreviewedItem } from '#server/modules/review/bulk/schema.ts'
import { queueItem } from '../testing/queue-item.ts'
import {
  countLeftOut,
  EMPTY_SELECTION,
  extendSelection,
  isSelected,
  SELECTION_LIMIT,
  selectAll,
  toggled,
  unreadGroups,
  withGroups,
  withoutItems,
} from './selected-items.ts'

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
  const down = extendSelection(begun, rows, 1, 3)
  const back = extendSelection(down, rows, 3, 2)
  const over = extendSelection(back, rows, 2, 0)
  expect([down, back, over].map(idsOf)).toEqual(['bcde', 'bce', 'abe'])
})

test('a range without a start begins at the current item', () => {
  expect(idsOf(extendSelection(EMPTY_SELECTION, rows, 2, 3))).toBe('cd')
})

test('deselects removed items for good', () => {
  const three = extendSelection(toggled(EMPTY_SELECTION, row(0)), rows, 0, 2)
  const left = withoutItems(three, ({ subjectId }) => subjectId === 'b')
  expect(idsOf(left)).toBe('ac')
  expect(idsOf(extendSelection(left, rows.toSpliced(1, 1), 1, 2))).toBe('acd')
  expect(withoutItems(left, () => false)).toBe(left)
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
  const all = selectAll(
    [
      { ...seen, subjectId: '1' },
      { ...seen, subjectId: '2', error: 'FORBIDDEN' },
    ],
    true,
  )
  expect([...all.items.values()].map(({ isOpen }) => isOpen)).toEqual([true, false])
  expect(all.isCut).toBe(true)
})

const group = queueItem({ subjectId: 'g', alike: { key: 'k', count: 4 } })
const member = (subjectId: string, more: Partial<PreviewedItem> = {}): PreviewedItem => ({
  subjectType: 'comment',
  subjectId,
  version: 1,
  excerpt: '',
  isFlagged: false,
  alikeKey: 'k',
  authorName: 'A',
  communityName: 'H',
  ...more,
})
const read = {
  keys: ['k'],
  items: [member('g'), member('h'), member('i', { apart: { why: 'flagged' } }), member('j', { error: 'FORBIDDEN' })],
  isCut: false,
}

test('the row of a group selects what would be decided together, and deselects all of it', () => {
  const begun = toggled(toggled(EMPTY_SELECTION, row(0)), group)
  expect(unreadGroups(begun).map(({ subjectId }) => subjectId)).toEqual(['g'])
  const whole = withGroups(begun, read)
  expect([idsOf(whole), countLeftOut(whole), unreadGroups(whole)]).toEqual(['agh', 2, []])
  expect(isSelected(whole, group)).toBe(true)

  const off = toggled(whole, group)
  expect([idsOf(off), countLeftOut(off), isSelected(off, group)]).toEqual(['a', 0, false])
  expect(unreadGroups(toggled(off, group))).toHaveLength(1)
})

test('a group whose row is an exception itself is selected by its other items', () => {
  const whole = withGroups(toggled(EMPTY_SELECTION, group), {
    ...read,
    items: [member('g', { error: 'CHANGED' }), member('h')],
  })
  expect([idsOf(whole), isSelected(whole, group)]).toEqual(['h', true])
})

test('a group that was deselected before it was read stays deselected', () => {
  const off = toggled(toggled(EMPTY_SELECTION, group), group)
  expect(idsOf(withGroups(off, read))).toBe('')
})

test('a range selects its groups in full, and needs them once', () => {
  const list = [row(0), group, row(1)]
  const down = withGroups(extendSelection(toggled(EMPTY_SELECTION, row(0)), list, 0, 2), read)
  const back = extendSelection(down, list, 2, 0)
  const again = extendSelection(back, list, 0, 1)
  expect([down, back, again].map(idsOf)).toEqual(['abgh', 'a', 'agh'])
  expect(unreadGroups(again)).toEqual([])
})

test('selecting all that matches selects the rows of groups', () => {
  const all = selectAll([member('g'), member('h')], false)
  expect([isSelected(all, group), unreadGroups(all)]).toEqual([true, []])
  expect(idsOf(toggled(all, group))).toBe('')
})

test('limits the selection to what one bulk action can process', () => {
  expect(SELECTION_LIMIT).toBe(BULK_LIMIT)
})
