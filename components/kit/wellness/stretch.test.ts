import { expect, test } from 'vitest'
import { afterDecision, isPauseDue, PAUSE_MS, type Stretch } from './stretch.ts'

const MINUTE_MS = 60_000
/** Decisions at these minutes, one after the other. */
function stretchOf(...minutes: number[]): Stretch {
  return minutes.map((minute) => minute * MINUTE_MS).reduce<Stretch | undefined>(afterDecision, undefined) as Stretch
}

test('a break is due after the chosen number of decisions', () => {
  const limits = { pauseAfterDecisions: 3 }
  expect(isPauseDue(stretchOf(0, 1), MINUTE_MS, limits)).toBe(false)
  expect(isPauseDue(stretchOf(0, 1, 2), 2 * MINUTE_MS, limits)).toBe(true)
})

test('a break is due after the chosen number of minutes', () => {
  const stretch = stretchOf(0, 4, 8, 12)
  expect(isPauseDue(stretch, 14 * MINUTE_MS, { pauseAfterMinutes: 15 })).toBe(false)
  expect(isPauseDue(stretch, 15 * MINUTE_MS, { pauseAfterMinutes: 15 })).toBe(true)
})

test('no break is due without a limit', () => {
  expect(isPauseDue({ since: 0, until: 1_000 * MINUTE_MS, decided: 5_000 }, 1_000 * MINUTE_MS, {})).toBe(false)
})

test('a longer stop counts as a break and restarts the count', () => {
  const stretch = stretchOf(0, 1, 2)
  const later = 2 * MINUTE_MS + PAUSE_MS
  expect(isPauseDue(stretch, later, { pauseAfterDecisions: 3 })).toBe(false)
  expect(afterDecision(stretch, later)).toEqual({ since: later, until: later, decided: 1 })
})
