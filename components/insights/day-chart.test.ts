import { expect, test } from 'vitest'
import { barAt, dotsOf, lineOf } from './day-chart.tsx'

test('a line goes through the middle of each day and is interrupted where a day has no value', () => {
  expect(lineOf([0, 5, 10], 10)).toBe('M16.67 100L50 50L83.33 0')
  expect(lineOf([1, 1, undefined, 2, 2], 2)).toBe('M10 50L30 50M70 0L90 0')
  expect(lineOf([undefined], 8)).toBe('')
})

test('a bar stands on the axis within its day', () => {
  expect(barAt(1, 5, { days: 4, end: 10 })).toEqual({ x: 28, width: 19, y: 50, height: 50 })
})

test('a day between days without a value is a dot', () => {
  expect(dotsOf([1, 1, undefined, 2, undefined, 2], 2)).toBe('M58.33 0h0M91.67 0h0')
  expect(dotsOf([4], 8)).toBe('M50 50h0')
})
