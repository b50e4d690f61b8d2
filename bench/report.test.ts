import { expect, test } from 'vitest'
import { atLeast, atMost, delayRows, delaysAtMost, withSection } from './report.ts'

test('a run replaces the section of its scenario and leaves the others, in order of their sizes', () => {
  const before = ['## queue, 1,000,000 held\n\nMonday', '## queue, 10,000 held\n\nMonday', '## desk\n\nMonday'].reduce(
    withSection,
    '',
  )
  expect(withSection(before, '## queue, 10,000 held\n\nTuesday\n')).toMatch(
    /\n## desk\n\nMonday\n\n## queue, 10,000 held\n\nTuesday\n\n## queue, 1,000,000 held\n\nMonday\n$/,
  )
})

test('a promise is held at its limit and missed beyond it', () => {
  expect([atLeast('', 0.5, 0.5), atLeast('', 0.49, 0.5)].map(({ isHeld }) => isHeld)).toEqual([true, false])
  expect([atMost('', 2, 2), atMost('', 2.01, 2)].map(({ isHeld }) => isHeld)).toEqual([true, false])
})

test('95 of 100 delays decide, in whatever order they come', () => {
  const delays = [...Array.from({ length: 96 }, () => 10), 90, 90, 90, 90]
  expect(delaysAtMost('', delays.toReversed(), 50).isHeld).toBe(true)
  expect(delaysAtMost('', [...delays, 90, 90, 90], 50).isHeld).toBe(false)
  expect(delayRows([delays.toReversed()])).toEqual([
    ['median', '10'],
    ['95 of 100', '10'],
    ['99 of 100', '90'],
    ['slowest', '90'],
  ])
})
