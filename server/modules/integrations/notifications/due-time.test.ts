import { expect, test } from 'vitest'
import { dueAt } from '#server/modules/integrations/notifications/due-time.ts'
import type { Pace } from '#server/modules/integrations/notifications/schema.ts'

interface Case {
  pace: Pace
  zone: string
  now: string
  due: string
  digestHour?: number
  quiet?: [from: number, until: number]
}

function due({ pace, zone, now, digestHour = 8, quiet: [quietFrom, quietUntil] = [] as never }: Omit<Case, 'due'>) {
  const schedule = { zone, digestHour, quietFrom: quietFrom ?? null, quietUntil: quietUntil ?? null }
  return dueAt(pace, schedule, new Date(now)).toISOString().replace('.000Z', 'Z')
}

const BERLIN = 'Europe/Berlin'

test.each<Case>([
  { pace: 'once', zone: BERLIN, now: '2026-11-30T12:34:56Z', due: '2026-11-30T12:34:56Z' },
  { pace: 'hourly', zone: BERLIN, now: '2026-11-30T12:34:56Z', due: '2026-11-30T13:00:00Z' },
  // Its hours begin a quarter past those of UTC.
  { pace: 'hourly', zone: 'Asia/Kathmandu', now: '2026-11-30T12:34:56Z', due: '2026-11-30T13:15:00Z' },
  { pace: 'daily', zone: BERLIN, now: '2026-11-30T06:59:59Z', due: '2026-11-30T07:00:00Z' },
  { pace: 'daily', zone: BERLIN, now: '2026-11-30T07:00:00Z', due: '2026-12-01T07:00:00Z' },
  { pace: 'daily', zone: 'America/Los_Angeles', now: '2026-11-30T12:00:00Z', due: '2026-11-30T16:00:00Z' },
])('$pace in $zone: what is known at $now is sent at $due', (one) => {
  expect(due(one)).toBe(one.due)
})

test.each<Case>([
  // The digest stays at 8 o'clock: 23 hours after the one before, and 25.
  { pace: 'daily', zone: BERLIN, now: '2027-03-27T12:00:00Z', due: '2027-03-28T06:00:00Z' },
  { pace: 'daily', zone: BERLIN, now: '2027-10-30T12:00:00Z', due: '2027-10-31T07:00:00Z' },
  // An hour that is skipped is the next one; one that comes twice counts once.
  { pace: 'daily', zone: BERLIN, digestHour: 2, now: '2027-03-28T00:30:00Z', due: '2027-03-28T01:00:00Z' },
  { pace: 'daily', zone: BERLIN, digestHour: 2, now: '2027-10-30T23:30:00Z', due: '2027-10-31T00:00:00Z' },
  { pace: 'daily', zone: BERLIN, digestHour: 2, now: '2027-10-31T00:30:00Z', due: '2027-11-01T01:00:00Z' },
  { pace: 'hourly', zone: BERLIN, now: '2027-10-31T00:30:00Z', due: '2027-10-31T01:00:00Z' },
  // A day that was skipped as a whole.
  { pace: 'daily', zone: 'Pacific/Apia', now: '2011-12-29T20:00:00Z', due: '2011-12-30T18:00:00Z' },
  { pace: 'hourly', zone: 'Australia/Lord_Howe', now: '2027-04-03T15:10:00Z', due: '2027-04-03T15:30:00Z' },
])('when clocks change in $zone, $pace at $now is sent at $due', (one) => {
  expect(due(one)).toBe(one.due)
})

test.each<Case>([
  { pace: 'once', zone: BERLIN, quiet: [22, 7], now: '2026-11-30T22:00:00Z', due: '2026-12-01T06:00:00Z' },
  { pace: 'once', zone: BERLIN, quiet: [22, 7], now: '2026-12-01T02:00:00Z', due: '2026-12-01T06:00:00Z' },
  { pace: 'once', zone: BERLIN, quiet: [22, 7], now: '2026-12-01T06:00:00Z', due: '2026-12-01T06:00:00Z' },
  { pace: 'once', zone: BERLIN, quiet: [12, 14], now: '2026-11-30T11:30:00Z', due: '2026-11-30T13:00:00Z' },
  { pace: 'hourly', zone: BERLIN, quiet: [22, 7], now: '2026-11-30T20:30:00Z', due: '2026-12-01T06:00:00Z' },
  { pace: 'daily', zone: BERLIN, quiet: [22, 9], now: '2026-11-30T20:30:00Z', due: '2026-12-01T08:00:00Z' },
  // The night in which clocks change is an hour shorter.
  { pace: 'once', zone: BERLIN, quiet: [22, 7], now: '2027-03-27T22:00:00Z', due: '2027-03-28T05:00:00Z' },
])('with quiet hours $quiet, $pace at $now is sent at $due', (one) => {
  expect(due(one)).toBe(one.due)
})

test('a zone that this runtime does not know is UTC', () => {
  expect(due({ pace: 'daily', zone: 'Mars/Olympus', now: '2026-11-30T12:00:00Z' })).toBe('2026-12-01T08:00:00Z')
})
