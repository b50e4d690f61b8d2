import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { IS_STRESS, scaled } from '#server/testing/scaled.ts'
import { daysRange, type InstantRange } from './time.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const WEEK_MS = 7 * DAY_MS
const SAMPLE_MS = 2 * DAY_MS

/** Whose clocks change at odd hours, by odd amounts, on odd days or by whole days, and a few usual ones. */
const ODD_ZONES = [
  'Africa/Casablanca',
  'America/Caracas',
  'America/Havana',
  'America/St_Johns',
  'Antarctica/Casey',
  'Antarctica/Troll',
  'Asia/Gaza',
  'Asia/Pyongyang',
  'Australia/Lord_Howe',
  'Europe/Berlin',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Pacific/Kwajalein',
]

describe('a day of', () => {
  test.each([
    ['24 hours', 'Europe/Berlin', '2026-02-28', '2026-02-27T23:00Z', '2026-02-28T23:00Z'],
    ['23 hours', 'Europe/Berlin', '2026-03-29', '2026-03-28T23:00Z', '2026-03-29T22:00Z'],
    ['25 hours', 'Europe/Berlin', '2026-10-25', '2026-10-24T22:00Z', '2026-10-25T23:00Z'],
    ['23.5 hours', 'Australia/Lord_Howe', '2026-10-04', '2026-10-03T13:30Z', '2026-10-04T13:00Z'],
    ['24.5 hours', 'Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00Z', '2026-04-05T13:30Z'],
    ['23 hours without a midnight', 'America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00Z', '2018-11-05T02:00Z'],
    [
      '23.5 hours that begins at half past midnight',
      'America/Toronto',
      '1919-03-31',
      '1919-03-31T04:30Z',
      '1919-04-01T04:00Z',
    ],
    [
      '25 hours whose last one is repeated',
      'America/Sao_Paulo',
      '2018-02-17',
      '2018-02-17T02:00Z',
      '2018-02-18T03:00Z',
    ],
    ['25 hours whose midnight is repeated', 'America/Havana', '2026-11-01', '2026-11-01T04:00Z', '2026-11-02T05:00Z'],
    ['24 hours after a day that was skipped', 'Pacific/Apia', '2011-12-31', '2011-12-30T10:00Z', '2011-12-31T10:00Z'],
    ['24 hours, 9:21 before Greenwich', 'Europe/Paris', '1900-01-01', '1899-12-31T23:50:39Z', '1900-01-01T23:50:39Z'],
    ['24 hours, where the zone goes by a link', 'US/Pacific', '2026-01-01', '2026-01-01T08:00Z', '2026-01-02T08:00Z'],
    ['24 hours, in UTC', 'UTC', '2026-01-01', '2026-01-01T00:00Z', '2026-01-02T00:00Z'],
  ])('%s is one range: %s, %s', (...[, timeZone, date, from, before]) => {
    expect(day(date, timeZone)).toEqual([range(from, before)])
  })

  test.each([
    ['Pacific/Apia', '2011-12-30'],
    ['Pacific/Kwajalein', '1993-08-21'],
    ['Asia/Manila', '1844-12-31'],
  ])('%s, skipped %s, has no range', (timeZone, date) => {
    expect(day(date, timeZone)).toEqual([])
  })
})

describe("where St. John's set 00:01 back to 23:01 of the day before", () => {
  const timeZone = 'America/St_Johns'

  test('the day that begins too early has two ranges', () => {
    expect(day('2010-11-07', timeZone)).toEqual([
      range('2010-11-07T02:30Z', '2010-11-07T02:31Z'),
      range('2010-11-07T03:30Z', '2010-11-08T03:30Z'),
    ])
  })

  test('the day that resumes has two ranges', () => {
    expect(day('2010-11-06', timeZone)).toEqual([
      range('2010-11-06T02:30Z', '2010-11-07T02:30Z'),
      range('2010-11-07T02:31Z', '2010-11-07T03:30Z'),
    ])
  })

  test('both days together are one range', () => {
    expect(daysRange({ startDate: '2010-11-06', endDate: '2010-11-07', timeZone })).toEqual([
      range('2010-11-06T02:30Z', '2010-11-08T03:30Z'),
    ])
  })

  test('everything from the later day on, and everything up to the earlier one, has two ranges each', () => {
    expect(daysRange({ startDate: '2010-11-07', timeZone })).toEqual([
      range('2010-11-07T02:30Z', '2010-11-07T02:31Z'),
      range('2010-11-07T03:30Z', undefined),
    ])
    expect(daysRange({ endDate: '2010-11-06', timeZone })).toEqual([
      range(undefined, '2010-11-07T02:30Z'),
      range('2010-11-07T02:31Z', '2010-11-07T03:30Z'),
    ])
  })
})

test('a missing date leaves its side open', () => {
  const timeZone = 'Asia/Tokyo'

  expect(daysRange({ timeZone })).toEqual([{}])
  expect(daysRange({ timeZone, startDate: '2026-01-01' })).toEqual([range('2025-12-31T15:00Z', undefined)])
  expect(daysRange({ timeZone, endDate: '2026-01-01' })).toEqual([range(undefined, '2026-01-01T15:00Z')])
})

test('many days are one range, whatever clock changes are between them', () => {
  expect(daysRange({ startDate: '2009-01-01', endDate: '2012-12-31', timeZone: 'America/St_Johns' })).toEqual([
    range('2009-01-01T03:30Z', '2013-01-01T03:30Z'),
  ])
})

test('a start after the end gives no range', () => {
  expect(daysRange({ startDate: '2026-01-02', endDate: '2026-01-01', timeZone: 'UTC' })).toEqual([])
})

test('the first and last dates that can be written give instants that can be stored', () => {
  const timeZone = 'Asia/Tokyo'

  expect(daysRange({ startDate: '0000-01-01', endDate: '9999-12-31', timeZone })).toEqual([
    range('0001-01-01T00:00Z', '9999-12-31T15:00Z'),
  ])
  expect(day('9999-12-31', 'America/New_York')).toEqual([range('9999-12-31T05:00Z', '+010000-01-01T05:00Z')])
  expect(day('0000-02-29', timeZone)).toEqual([])
})

/** A filter on one day shows exactly what was written on it. The expected values come from Intl alone, not from what `daysRange` uses. */
describe(`in the time zones of ${process.versions.tz}`, () => {
  const zones = IS_STRESS ? Intl.supportedValuesOf('timeZone') : ODD_ZONES

  test('the ranges of each day with a clock change, its neighbours and pairs of days hold exactly the minutes written on them', () => {
    const wrong: object[] = []
    let checked = 0
    for (const timeZone of zones) {
      for (const { startDate, endDate, ranges } of daysAroundChanges(timeZone)) {
        const found = daysRange({ startDate, endDate, timeZone })
        if (JSON.stringify(found) !== ranges) wrong.push({ timeZone, startDate, endDate, found, ranges })
        checked++
      }
    }

    console.info(`${checked} ranges in ${zones.length} time zones of ${process.versions.tz}`)
    expect(wrong).toEqual([])
    expect(checked).toBeGreaterThan(2_000)
  })

  test('every past and future instant belongs to exactly the days that Intl gives', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), instant(), distance(), (timeZone, around, distance) => {
        const change = changesOf(timeZone, around, around + 26 * WEEK_MS)[0]
        for (const at of [around, around + distance, (change?.at ?? around) + distance]) {
          expectDayOf(at, timeZone)
        }
      }),
      { numRuns: scaled(200) },
    )
  })
})

function expectDayOf(at: number, timeZone: string): void {
  const today = intlOf(timeZone).dayAt(at)
  const yesterday = addDays(today, -1)
  const tomorrow = addDays(today, 1)

  const belongsTo = {
    today: holds({ startDate: today, endDate: today, timeZone }, at),
    yesterday: holds({ startDate: yesterday, endDate: yesterday, timeZone }, at),
    tomorrow: holds({ startDate: tomorrow, endDate: tomorrow, timeZone }, at),
    since: holds({ startDate: today, timeZone }, at),
    sinceTomorrow: holds({ startDate: tomorrow, timeZone }, at),
    until: holds({ endDate: today, timeZone }, at),
    untilYesterday: holds({ endDate: yesterday, timeZone }, at),
  }
  expect({ at: new Date(at), ...belongsTo }).toEqual({
    at: new Date(at),
    today: true,
    yesterday: false,
    tomorrow: false,
    since: true,
    sinceTomorrow: false,
    until: true,
    untilYesterday: false,
  })
}

function holds(days: Parameters<typeof daysRange>[0], at: number): boolean {
  const isInside = ({ from, before }: InstantRange) => (!from || +from <= at) && (!before || at < +before)
  return daysRange(days).filter(isInside).length === 1
}

/** Half of them from the time of the great changes, to the millisecond. */
function instant(): fc.Arbitrary<number> {
  const between = (from: string, before: string) => fc.integer({ min: Date.parse(from), max: Date.parse(before) })
  return fc.oneof(between('1000-01-05T00:00Z', '9990-01-01T00:00Z'), between('1840-01-01T00:00Z', '2040-01-01T00:00Z'))
}

/** Half of them within the reach of a change of one hour. */
function distance(): fc.Arbitrary<number> {
  return fc.oneof(fc.integer({ min: -HOUR_MS, max: HOUR_MS }), fc.integer({ min: -DAY_MS, max: DAY_MS }))
}

function day(date: string, timeZone: string): InstantRange[] {
  return daysRange({ startDate: date, endDate: date, timeZone })
}

function range(from: string | undefined, before: string | undefined): InstantRange {
  return { from: from ? new Date(from) : undefined, before: before ? new Date(before) : undefined }
}

type Change = { at: number; offsets: string }
type DaysWritten = { startDate: string; endDate: string; ranges: string }

const daysWrittenAround = new Map<string, DaysWritten[]>()

/** The days around each change of a zone's clocks from 1990 to 2030, as JSON, with what was written on them. */
function daysAroundChanges(timeZone: string): DaysWritten[] {
  const changes = changesOf(timeZone, Date.UTC(1990, 0), Date.UTC(2031, 0))
  return changes.flatMap((change) => {
    // Zones that change at the same instant by the same offsets have the same calendar around it, so only one of them is tested.
    const rules = JSON.stringify(changes.filter(({ at }) => Math.abs(at - change.at) < WEEK_MS))
    const days = daysWrittenAround.get(rules) ?? stepThroughDays(timeZone, change.at)
    daysWrittenAround.set(rules, days)
    return days
  })
}

/** Reads the calendar at every minute of the days that a change touches and of their neighbours. */
function stepThroughDays(timeZone: string, change: number): DaysWritten[] {
  const { dayAt } = intlOf(timeZone)
  const [earlier = '', later = ''] = [dayAt(change - 1), dayAt(change)].sort()
  const first = addDays(earlier, -1)
  const last = addDays(later, 1)

  let minute = change
  while (dayAt(minute) >= first) minute -= HOUR_MS
  const pieces: { day: string; from: number; before: number }[] = []
  for (let day = dayAt(minute); day <= last; day = dayAt(minute)) {
    const piece = pieces.at(-1)
    if (piece?.day === day) piece.before = minute + MINUTE_MS
    else pieces.push({ day, from: minute, before: minute + MINUTE_MS })
    minute += MINUTE_MS
  }

  const written: DaysWritten[] = []
  for (let startDate = first; startDate <= last; startDate = addDays(startDate, 1)) {
    for (const endDate of [startDate, addDays(startDate, 1)].filter((date) => date <= last)) {
      const inside = pieces.filter((piece) => startDate <= piece.day && piece.day <= endDate)
      written.push({ startDate, endDate, ranges: JSON.stringify(joined(inside)) })
    }
  }
  return written
}

/** Merges adjacent ranges. */
function joined(pieces: { from: number; before: number }[]): InstantRange[] {
  const ranges: { from: Date; before: Date }[] = []
  for (const { from, before } of pieces) {
    const range = ranges.at(-1)
    if (range && +range.before === from) range.before = new Date(before)
    else ranges.push({ from: new Date(from), before: new Date(before) })
  }
  return ranges
}

/** Every change of a zone's offset, to the second. The shortest summer time on record lasted a week, in Brazil in 2000. */
function changesOf(timeZone: string, start: number, end: number): Change[] {
  const { offsetAt } = intlOf(timeZone)
  const changes: Change[] = []
  let offset = offsetAt(start)
  for (let sample = start; sample < end; sample += SAMPLE_MS) {
    const next = offsetAt(sample + SAMPLE_MS)
    if (next === offset) continue

    let last = sample
    let at = sample + SAMPLE_MS
    while (at - last > SECOND_MS) {
      const middle = last + Math.floor((at - last) / 2 / SECOND_MS) * SECOND_MS
      if (offsetAt(middle) === offset) last = middle
      else at = middle
    }
    changes.push({ at, offsets: `${offset} to ${next}` })
    offset = next
  }
  return changes
}

const intls = new Map<string, ReturnType<typeof makeIntl>>()

function intlOf(timeZone: string) {
  const intl = intls.get(timeZone) ?? makeIntl(timeZone)
  intls.set(timeZone, intl)
  return intl
}

function makeIntl(timeZone: string) {
  // Read once: getting `format` costs a fifth as much as calling it.
  const { format: dayAt } = new Intl.DateTimeFormat('sv-SE', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    timeZone,
  })
  const { format: offsetOfYearAt } = new Intl.DateTimeFormat('en', {
    year: 'numeric',
    timeZoneName: 'longOffset',
    timeZone,
  })
  return {
    /** As 2026-02-28. */
    dayAt: (at: number) => dayAt(at),
    /** As GMT-03:30. */
    offsetAt: (at: number) => offsetOfYearAt(at).slice('2026, '.length),
  }
}

function addDays(date: string, count: number): string {
  return new Date(Date.parse(date) + count * DAY_MS).toISOString().slice(0, 10)
}
