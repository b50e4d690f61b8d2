import { expect, test } from 'vitest'
import { countTicks, dayTicks, durationTicks, inUnits } from './round-ticks.ts'

const HOUR = 3_600_000
const shown = (ms: number) => {
  const { unit, ticksMs } = durationTicks(ms)
  return [unit, ...ticksMs.map((tick) => inUnits(tick, unit))]
}

test('counts have round ticks from zero to at least the highest', () => {
  expect(countTicks(0)).toEqual([0, 1])
  expect(countTicks(3)).toEqual([0, 1, 2, 3])
  expect(countTicks(96)).toEqual([0, 50, 100])
  expect(countTicks(101)).toEqual([0, 50, 100, 150])
  expect(countTicks(5_375)).toEqual([0, 2_000, 4_000, 6_000])
})

test('durations have ticks of whole minutes, hours or days, in one unit', () => {
  expect(shown(0)).toEqual(['minute', 0, 1])
  expect(shown(9 * 60_000)).toEqual(['minute', 0, 5, 10])
  expect(shown(5.6 * HOUR)).toEqual(['hour', 0, 2, 4, 6])
  expect(shown(40 * HOUR)).toEqual(['hour', 0, 12, 24, 36, 48])
  expect(shown(9.25 * 24 * HOUR)).toEqual(['day', 0, 5, 10])
  expect(shown(5_000 * 24 * HOUR)).toEqual(['day', 0, 1250, 2500, 3750, 5000])
})

test('never has more than four steps, and ends at or above the highest', () => {
  for (let most = 1; most < 3_000_000; most = Math.ceil(most * 1.37)) {
    for (const ticks of [countTicks(most), durationTicks(most * 1000).ticksMs.map((ms) => ms / 1000)]) {
      expect(ticks.length).toBeLessThanOrEqual(5)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(most)
    }
  }
})

test('labels the first and the last day, and days equally far apart where that is possible', () => {
  expect(dayTicks(1, 5)).toEqual([0])
  expect(dayTicks(2, 5)).toEqual([0, 1])
  expect(dayTicks(28, 5)).toEqual([0, 9, 18, 27])
  expect(dayTicks(7, 5)).toEqual([0, 2, 4, 6])
  expect(dayTicks(366, 5)).toEqual([0, 91, 183, 274, 365])
})
