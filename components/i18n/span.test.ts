import { expect, test } from 'vitest'
import { spanOf } from './span.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

test.each([
  [-5000, { unit: 'minutes', minutes: 0 }],
  [4 * MINUTE_MS + 59_999, { unit: 'minutes', minutes: 4 }],
  [HOUR_MS + 38 * MINUTE_MS, { unit: 'hours', hours: 1, minutes: 38 }],
  [DAY_MS - 1, { unit: 'hours', hours: 23, minutes: 59 }],
  [DAY_MS + 11 * HOUR_MS, { unit: 'days', days: 1, hours: 11 }],
  [59 * DAY_MS, { unit: 'days', days: 59, hours: 0 }],
  [670 * DAY_MS, { unit: 'months', years: 1, months: 10 }],
])('formats %d ms in its two largest units', (ms, span) => {
  expect(spanOf(ms)).toEqual(span)
})
