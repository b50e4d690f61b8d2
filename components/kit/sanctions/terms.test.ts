import { expect, test } from 'vitest'
import { minutesOf } from './terms.ts'

const now = new Date('2026-01-31T10:00:00Z')
const of = (term: Parameters<typeof minutesOf>[0]['term'], lastDay = '', zone = 'UTC') =>
  minutesOf({ term, lastDay, now, zone })
const endOf = (minutes: number | null | undefined) => new Date(now.getTime() + (minutes ?? 0) * 60_000).toISOString()

test('converts an hour, a day, a week and 30 days to minutes, and permanent to no end', () => {
  expect([of('hour'), of('day'), of('week'), of('month'), of('forever')]).toEqual([60, 1_440, 10_080, 43_200, null])
})

test('a ban until a date lasts to the end of that day in the current time zone', () => {
  expect(endOf(of('until', '2026-02-02'))).toBe('2026-02-03T00:00:00.000Z')
  expect(endOf(of('until', '2026-02-02', 'Asia/Kathmandu'))).toBe('2026-02-02T18:15:00.000Z')
})

test('rejects a ban shorter than an hour and an invalid date', () => {
  expect(of('until', '2026-01-01')).toBe(60)
  expect(of('until', '')).toBeUndefined()
  expect(of('until', '2026-02-31x')).toBeUndefined()
})
