export type Span =
  | { unit: 'minutes'; minutes: number }
  | { unit: 'hours'; hours: number; minutes: number }
  | { unit: 'days'; days: number; hours: number }
  | { unit: 'months'; years: number; months: number }

export const MINUTE_MS = 60_000
export const MINUTES_A_DAY = 1440
/** The average in the Gregorian calendar. */
const DAYS_A_MONTH = 30.436875

/** The two largest units, rounded down. Never negative, even if a clock is ahead. */
export function spanOf(ms: number): Span {
  const minutes = Math.max(0, Math.floor(ms / MINUTE_MS))
  if (minutes < 60) return { unit: 'minutes', minutes }
  if (minutes < MINUTES_A_DAY) return { unit: 'hours', hours: Math.floor(minutes / 60), minutes: minutes % 60 }

  const days = Math.floor(minutes / MINUTES_A_DAY)
  if (days < 60) return { unit: 'days', days, hours: Math.floor((minutes % MINUTES_A_DAY) / 60) }

  const months = Math.floor(days / DAYS_A_MONTH)
  return { unit: 'months', years: Math.floor(months / 12), months: months % 12 }
}
