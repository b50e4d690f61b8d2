import { expect, test } from 'vitest'
import { splitFound } from './split-found.ts'

const markedIn = (...ranges: [number, number][]) =>
  splitFound(
    'free boats',
    ranges.map(([from, to]) => ({ from, to })),
  )
    .map(({ text, isFound }) => (isFound ? `[${text}]` : text))
    .join('')

test('marks ranges in a text, in any order', () => {
  expect(markedIn()).toBe('free boats')
  expect(markedIn([5, 10], [0, 2])).toBe('[fr]ee [boats]')
})

test('marks overlapping ranges once, and nothing beyond the text', () => {
  expect(markedIn([0, 4], [2, 6], [1, 3])).toBe('[free][ b]oats')
  expect(markedIn([8, 90], [40, 50])).toBe('free boa[ts]')
})
