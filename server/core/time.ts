import { Temporal } from 'temporal-polyfill'
import type { CalendarDate, TimeZone } from './calendar.ts'

/** Both dates are included; a missing one leaves that side open. */
type Days = { startDate?: CalendarDate; endDate?: CalendarDate; timeZone: TimeZone }

/** The instants from `from` up to but not including `before`; a missing one leaves that side open. */
export type InstantRange = { from?: Date; before?: Date }

/**
 * The instants whose calendar day in a zone is one of the given days: disjoint ranges, in ascending order. There is no range if the zone
 * skipped the days or the start is after the end. There are several if clocks were set back over midnight after midnight, as in St. John's
 * until 2011: 00:01 became 23:01 of the day before.
 */
export function daysRange({ startDate, endDate, timeZone }: Days): InstantRange[] {
  if (startDate && endDate && startDate > endDate) return []

  // An instant past the last day is also past the start, so in order of time these edges alternate between entering and leaving.
  const edges = [
    ...(startDate ? arrivals(Temporal.PlainDate.from(startDate), timeZone) : [-Infinity]),
    ...(endDate ? arrivals(Temporal.PlainDate.from(endDate).add({ days: 1 }), timeZone) : [Infinity]),
  ].sort((a, b) => a - b)

  return edges.flatMap((from, index) => {
    const before = edges[index + 1]
    const leadsIn = index % 2 === 0 && before !== undefined && from < before
    return leadsIn ? [{ from: toDate(from), before: toDate(before) }] : []
  })
}

/** The day of a zone's calendar at an instant. */
export function dayIn(timeZone: TimeZone, at: Date): CalendarDate {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDate().toString()
}

/** The instants at which a zone's calendar reaches a day (or passes it), falls back before it, and reaches it again. */
function arrivals(day: Temporal.PlainDate, timeZone: string): number[] {
  const first = day.toZonedDateTime(timeZone)
  const last = day.toPlainDateTime().toZonedDateTime(timeZone, { disambiguation: 'later' })
  const isMidnightRepeated = first.offsetNanoseconds > last.offsetNanoseconds
  if (!isMidnightRepeated) return [toMilliseconds(first)]

  const setBack = first.getTimeZoneTransition('next')
  // A clock set back to midnight itself stays within the day.
  if (!setBack || setBack.equals(last)) return [toMilliseconds(first)]
  return [first, setBack, last].map(toMilliseconds)
}

/** PostgreSQL rejects dates before 4713 BC; and no data is that old. */
const YEAR_1 = Date.parse('0001-01-01T00:00:00Z')

function toMilliseconds({ epochMilliseconds }: Temporal.ZonedDateTime): number {
  return Math.max(epochMilliseconds, YEAR_1)
}

function toDate(milliseconds: number): Date | undefined {
  return Number.isFinite(milliseconds) ? new Date(milliseconds) : undefined
}
