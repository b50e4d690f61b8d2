import { expect, test } from 'vitest'
import { pastTarget, targetIndex } from './target-line.ts'

const TARGET_MS = 4 * 3_600_000
const NOW = Date.parse('2026-11-15T12:00:00Z')
const heldFor = (...hours: number[]) =>
  hours.map((hour) => ({ heldAt: new Date(NOW - hour * 3_600_000).toISOString() }))

test('newest first, the line is above the first overdue item', () => {
  const index = targetIndex(heldFor(1, 3, 4, 9), 'newest', { now: NOW, targetMs: TARGET_MS })
  expect(index).toBe(2)
  expect(pastTarget({ before: 2, order: 'newest', total: 80 })).toBe(78)
})

test('oldest first, the line is below the last overdue item', () => {
  const index = targetIndex(heldFor(9, 5, 3), 'oldest', { now: NOW, targetMs: TARGET_MS })
  expect(index).toBe(2)
  expect(pastTarget({ before: 2, order: 'oldest', total: 80 })).toBe(2)
})

test('claims no number of overdue items where it is not known how many stand before the line', () => {
  expect(pastTarget({ before: undefined, order: 'newest', total: 80 })).toBeUndefined()
  expect(pastTarget({ before: undefined, order: 'oldest', total: 80 })).toBeUndefined()
})

test('shows no line with the most urgent first, where overdue items are anywhere', () => {
  expect(targetIndex(heldFor(9, 1, 5), 'urgent', { now: NOW, targetMs: TARGET_MS })).toBeUndefined()
})

test('shows no line when all rows are on one side', () => {
  expect(targetIndex(heldFor(1, 2), 'newest', { now: NOW, targetMs: TARGET_MS })).toBeUndefined()
  expect(targetIndex(heldFor(9, 8), 'oldest', { now: NOW, targetMs: TARGET_MS })).toBeUndefined()
  expect(targetIndex([], 'newest', { now: NOW, targetMs: TARGET_MS })).toBeUndefined()
})
