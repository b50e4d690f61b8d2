import { expect, test } from 'vitest'
import { queueItem } from '../testing/queue-item.ts'
import { foldedRows, itemsBefore, orphanedKeys } from './folded-rows.ts'
import { keyOf } from './store/queue-state.ts'

const item = (subjectId: string, key?: string, count = 0) =>
  queueItem({ subjectId, ...(key && { alike: { key, count } }) })
const NONE = { separate: new Set<string>(), skipped: new Set<string>() }
const shown = (rows: ReturnType<typeof item>[]) => rows.map(({ subjectId, alike }) => [subjectId, alike?.count])

test('shows a group as its first item, with its count, also when a later page has more of it', () => {
  const rows = [item('1', 'a', 4), item('2'), item('3', 'a', 4), item('4', 'b', 2), item('5', 'a', 4)]
  expect(shown(foldedRows(rows, rows, NONE))).toEqual([
    ['1', 4],
    ['2', undefined],
    ['4', 2],
  ])
})

test('counts what has left since the page was read out of its group, down to a single item', () => {
  const read = [item('1', 'a', 3), item('2', 'a', 3), item('3', 'a', 3)]
  expect(shown(foldedRows(read.slice(1), read, NONE))).toEqual([['2', 2]])
  expect(shown(foldedRows(read.slice(2), read, NONE))).toEqual([['3', undefined]])
})

test('lists the items of a group one by one when asked to, and keeps rows that are in no group as they are', () => {
  const rows = [item('1', 'a', 2), item('2', 'a', 2), item('3', 'b', 2), item('4', 'b', 2)]
  expect(shown(foldedRows(rows, rows, { ...NONE, separate: new Set(['a']) }))).toEqual([
    ['1', undefined],
    ['2', undefined],
    ['3', 2],
  ])
  const plain = [item('1'), item('2')]
  expect(foldedRows(plain, plain, NONE)).toBe(plain)
})

test('skips a group as a whole, and only the item itself where a group is listed one by one', () => {
  const [first, second, other] = [item('1', 'a', 2), item('2', 'a', 2), item('3')]
  const skipped = new Set([keyOf(first)])
  const read = [first, second, other]
  expect(shown(foldedRows([second, other], read, { ...NONE, skipped }))).toEqual([['3', undefined]])
  expect(shown(foldedRows([second, other], read, { separate: new Set(['a']), skipped }))).toEqual([
    ['2', undefined],
    ['3', undefined],
  ])
})

test('names a group whose listed items have all left while others of it were never listed', () => {
  const read = [item('1', 'a', 30), item('2', 'a', 30), item('3', 'b', 2), item('4', 'b', 2), item('5', 'c', 9)]
  expect(orphanedKeys([item('5', 'c', 9)], read)).toEqual(['a'])
  expect(orphanedKeys(read, read)).toEqual([])
})

test('counts items, not rows, before each row; in a filtered list those that match', () => {
  const single = [item('1'), item('2', 'a', 30), item('3', 'a', 30), item('4'), item('5', 'b', 2), item('6', 'b', 2)]
  const rows = foldedRows(single, single, NONE)
  expect(itemsBefore(rows, single, false)).toEqual([0, 1, 31, 32])
  expect(itemsBefore(rows, single, true)).toEqual([0, 1, 3, 4])
})

test('claims no number of items after a group of more than are counted, and keeps the group open when some of it leave', () => {
  const read = [item('1'), item('2', 'a', 1_001), item('3', 'a', 1_001), item('4'), item('5', 'b', 2)]
  const rows = foldedRows(read.slice(0, 1).concat(read.slice(2)), read, NONE)
  expect(shown(rows)).toEqual([
    ['1', undefined],
    ['3', 1_001],
    ['4', undefined],
    ['5', 2],
  ])
  expect(itemsBefore(rows, read, false)).toEqual([0, 1, undefined, undefined])
  expect(itemsBefore(rows, read, true)).toEqual([0, 1, undefined, undefined])
})
