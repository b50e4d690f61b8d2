import { expect, test } from 'vitest'
import { timestampOf } from '#server/core/wire/timestamp.ts'

test.each([
  '2026-01-31T09:05:07.123Z',
  '2026-01-31T09:05:07.120Z',
  '2026-01-31T00:00:00.000Z',
  '2026-01-31T23:59:59.999Z',
  '1970-01-01T00:00:00.000Z',
  '1969-12-31T23:59:59.999Z',
  '0001-01-01T00:00:00.007Z',
  '9999-12-31T23:59:59.999Z',
  '+012026-01-31T09:05:07.123Z',
  '-000043-03-15T12:00:00.000Z',
])('%s is written to the millisecond, however often', (text) => {
  expect([timestampOf(new Date(text)), timestampOf(new Date(text))]).toEqual([text, text])
})

test('more days than are kept in memory are written correctly', () => {
  const days = Array.from({ length: 10_050 }, (_, day) => new Date(day * 86_400_000 + day))
  expect(days.map(timestampOf)).toEqual(days.map((instant) => instant.toISOString()))
})

test('an invalid date is an error', () => {
  expect(() => timestampOf(new Date(Number.NaN))).toThrow(RangeError)
})
