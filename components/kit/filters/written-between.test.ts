import { expect, test } from 'vitest'
import { addDays } from '#server/core/periods.ts'
import { dayOf, toInstants } from './written-between.ts'

const instants = (startDate: string | null, endDate: string | null, timeZone: string) => {
  const { from, until } = toInstants({ startDate, endDate }, timeZone)
  return [from?.toISOString(), until?.toISOString()]
}

test('converts days of a time zone to UTC, including the last day', () => {
  expect(instants('2026-11-09', '2026-11-15', 'Asia/Kathmandu')).toEqual([
    '2026-11-08T18:15:00.000Z',
    '2026-11-15T18:15:00.000Z',
  ])
})

test.each([
  ['a day of 23 hours', '2026-03-29', 'Europe/Berlin', ['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z']],
  ['a day of 25 hours', '2026-10-25', 'Europe/Berlin', ['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z']],
  ['no midnight', '2026-09-06', 'America/Santiago', ['2026-09-06T04:00:00.000Z', '2026-09-07T03:00:00.000Z']],
  ['a day that was skipped', '2011-12-30', 'Pacific/Apia', ['2011-12-30T10:00:00.000Z', '2011-12-30T10:00:00.000Z']],
])('%s starts and ends as its time zone defines', (_what, day, timeZone, expected) => {
  expect(instants(day, day, timeZone)).toEqual(expected)
})

test('keeps an open start or end', () => {
  expect(instants('2026-11-09', null, 'UTC')).toEqual(['2026-11-09T00:00:00.000Z', undefined])
  expect(instants(null, '2026-11-09', 'UTC')).toEqual([undefined, '2026-11-10T00:00:00.000Z'])
})

test('computes the day in the given time zone', () => {
  const now = new Date('2026-11-15T20:00:00Z')
  expect(dayOf(now, 'Asia/Kathmandu')).toBe('2026-11-16')
  expect(dayOf(now, 'America/New_York')).toBe('2026-11-15')
  expect(addDays('2024-02-28', 2)).toBe('2024-03-01')
})
