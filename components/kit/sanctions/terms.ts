import { parseDate, toZoned } from '@internationalized/date'

/** How long a ban or a mute can last, in the order of their digits. A month is 30 days, and says so. */
export const TERMS = ['hour', 'day', 'week', 'month', 'forever', 'until'] as const
export type Term = (typeof TERMS)[number]

/** The term of a digit. */
export function termOf(key: string): Term | undefined {
  return /^[1-6]$/.test(key) ? TERMS[Number(key) - 1] : undefined
}

/** The term of the last of these keys that is a digit of one. */
export function termIn(typed: string[]): Term | undefined {
  return typed.map(termOf).findLast((term) => term !== undefined)
}

const HOUR = 60
const DAY = 24 * HOUR
/** The terms of a fixed length, in minutes. */
export const FIXED_TERMS = { hour: HOUR, day: DAY, week: 7 * DAY, month: 30 * DAY } as const
const MINUTE_MS = 60_000

export interface TermInput {
  term: Term
  /** With the term `until`: the last day of the sanction, in the zone's calendar. */
  lastDay: string
  now: Date
  zone: string
}

/** The length of a term in minutes, at least 60; null means until lifted. Undefined if the last day is not valid. */
export function minutesOf({ term, lastDay, now, zone }: TermInput): number | null | undefined {
  switch (term) {
    case 'forever':
      return null
    case 'until':
      return minutesUntil(endOfDay(lastDay, zone), now)
    default:
      return FIXED_TERMS[term]
  }
}

function minutesUntil(end: Date | undefined, now: Date): number | undefined {
  return end && Math.max(HOUR, Math.ceil((end.getTime() - now.getTime()) / MINUTE_MS))
}

function endOfDay(day: string, zone: string): Date | undefined {
  try {
    return toZoned(parseDate(day).add({ days: 1 }), zone).toDate()
  } catch {
    return undefined
  }
}
