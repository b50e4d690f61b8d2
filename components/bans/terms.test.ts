import { expect, test } from 'vitest'
import { minutesOf } from './terms.ts'

const now = new Date('2026-01-31T10:00:00Z')
const of = (term: Parameters<typeof minutesOf>[0]['term'], lastDay = '', zone = 'UTC') =>
  minutesOf({ term, lastDay, now, zone })
const endOf = (minutes: number | null | undefined) => new Date(now.getTime() + (minutes ?? 0) * 60_000).toISOString()

test('an hour, a day and a week are so many minutes, and forever has no end', () => {
  expect([of('hour'), of('day'), of('week'), of('forever')]).toEqual([60, 1_440, 10_080, null])
})

test('a month ends on the same day of the next one, or its last', () => {
  expect(endOf(of('month'))).toBe('2026-02-28T10:00:00.000Z')
})

test('a ban until a day lasts to the end of it, as the zone in force has it', () => {
  expect(endOf(of('until', '2026-02-02'))).toBe('2026-02-03T00:00:00.000Z')
  expect(endOf(of('until', '2026-02-02', 'Asia/Kathmandu'))).toBe('2026-02-02T18:15:00.000Z')
})

test('no ban is shorter than an hour, and a day that is none gives none', () => {
  expect(of('until', '2026-01-01')).toBe(60)
  expect(of('until', '')).toBeUndefined()
  expect(of('until', '2026-02-31x')).toBeUndefined()
})
