import { expect, test } from 'vitest'
import { toInsightsInput } from './insights-search.ts'

const nothing = { communityId: null, startDate: null, endDate: null, timeZone: null }
const days = (asked: Partial<typeof nothing> | { startDate?: string; endDate?: string }) => {
  const { startDate, endDate } = toInsightsInput({ ...nothing, ...asked }, 'UTC', '2026-11-21')
  return [startDate, endDate]
}

test('defaults to the last four weeks', () => {
  expect(days({})).toEqual(['2026-10-25', '2026-11-21'])
})

test('fills an open start or end and limits the range to a year', () => {
  expect(days({ endDate: '2026-05-28' })).toEqual(['2026-05-01', '2026-05-28'])
  expect(days({ startDate: '2026-11-01' })).toEqual(['2026-11-01', '2026-11-21'])
  expect(days({ startDate: '2027-01-01' })).toEqual(['2027-01-01', '2027-01-01'])
  expect(days({ startDate: '2001-01-01' })).toEqual(['2025-11-21', '2026-11-21'])
})
