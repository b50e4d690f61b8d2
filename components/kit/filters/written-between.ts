import { addDays } from '#server/core/periods.ts'

/** Days of a zone as `YYYY-MM-DD`; either end may be open. */
export interface Days {
  startDate: string | null
  endDate: string | null
}

/** The instants at which the range begins and ends; the last day is included. */
export function toInstants({ startDate, endDate }: Days, timeZone: string): { from?: Date; until?: Date } {
  return {
    ...(startDate && { from: startOfDay(startDate, timeZone) }),
    ...(endDate && { until: startOfDay(nextDay(endDate), timeZone) }),
  }
}

const nextDay = (day: string) => addDays(day, 1)

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** The first minute at which the zone's calendar shows the day or a later one. Correct also where midnight or a whole day is skipped. */
function startOfDay(day: string, timeZone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  let before = midnight - 16 * HOUR_MS
  let reached = midnight + 36 * HOUR_MS
  while (reached - before > MINUTE_MS) {
    const middle = before + Math.floor((reached - before) / 2 / MINUTE_MS) * MINUTE_MS
    if (dayOf(new Date(middle), timeZone) >= day) reached = middle
    else before = middle
  }
  return new Date(reached)
}

export function dayOf(at: Date, timeZone: string): string {
  const parts = calendarOf(timeZone).formatToParts(at)
  const part = (type: string) => parts.find((found) => found.type === type)?.value ?? ''
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
}

const calendars = new Map<string, Intl.DateTimeFormat>()

/** Cached: every row of a list needs it, and constructing one takes longer than the rest of the row. */
function calendarOf(timeZone: string): Intl.DateTimeFormat {
  const kept = calendars.get(timeZone)
  if (kept) return kept
  const made = new Intl.DateTimeFormat('en-u-ca-iso8601', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  calendars.set(timeZone, made)
  return made
}
