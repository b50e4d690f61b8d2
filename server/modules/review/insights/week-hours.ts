import { Temporal } from 'temporal-polyfill'
import { type Sql, sql } from '#server/core/db.ts'
import type { DayPieces } from '#server/modules/review/insights/day-pieces.ts'

export const HOURS_A_WEEK = 168
/** Days from a Monday to 1 January 1970, a Thursday, in hours. */
const THURSDAY = 72

/**
 * The hour of the week in a zone at the instant of a column within these days, as an SQL expression: 0 is Monday from 0:00 to 1:00. The zone's offsets, of which a
 * year has few, come from the same source as its days.
 */
export function weekHourOf({ starts, end }: DayPieces, timeZone: string, column: Sql): Sql {
  const { from, seconds } = offsetsIn(timeZone, starts[0] ?? end, end)
  const local = sql`(date_part('epoch', ${column}) + (${seconds}::int[])[width_bucket(${column}, ${from}::timestamptz[])])`
  // Dates before 1970 are negative.
  return sql`(((floor(${local} / 3600)::bigint + ${THURSDAY}) % ${HOURS_A_WEEK} + ${HOURS_A_WEEK}) % ${HOURS_A_WEEK})::int`
}

/** Since when which offset from UTC is in force in a zone, from an instant on. */
function offsetsIn(timeZone: string, start: Date, end: Date): { from: Date[]; seconds: number[] } {
  const from: Date[] = []
  const seconds: number[] = []
  let at: Temporal.ZonedDateTime | null = Temporal.Instant.fromEpochMilliseconds(start.getTime()).toZonedDateTimeISO(
    timeZone,
  )
  while (at !== null && (from.length === 0 || at.epochMilliseconds < end.getTime())) {
    from.push(new Date(at.epochMilliseconds))
    seconds.push(Math.round(at.offsetNanoseconds / 1e9))
    at = at.getTimeZoneTransition('next')
  }
  return { from, seconds }
}
