import { z } from 'zod'
import { CalendarDate, TimeZone } from '#server/core/calendar.ts'
import { text } from '#server/core/text.ts'

/** The longest time that is looked at, in days. */
const DAYS_LIMIT = 366

const CommunityOrAll = { communityId: text({ min: 1, max: 900 }).optional() }

/** Whole days of `timeZone`; without a community it is every one that the caller may know of. */
export const InsightsInput = z
  .object({ ...CommunityOrAll, startDate: CalendarDate, endDate: CalendarDate, timeZone: TimeZone.default('UTC') })
  .refine(({ startDate, endDate }) => startDate <= endDate, {
    path: ['endDate'],
    message: 'must not be before startDate',
  })
  .refine(({ startDate, endDate }) => daysBetween(startDate, endDate) < DAYS_LIMIT, {
    path: ['endDate'],
    message: `must be less than ${DAYS_LIMIT} days after startDate`,
  })
export type InsightsInput = z.output<typeof InsightsInput>

export const WaitingInput = z.object(CommunityOrAll)
export type WaitingInput = z.output<typeof WaitingInput>

function daysBetween(startDate: string, endDate: string): number {
  return (Date.parse(endDate) - Date.parse(startDate)) / 86_400_000
}

/** What was decided on what was held, less what was taken back, and how long it had been held by then. */
export interface Decided {
  approved: number
  rejected: number
  /** Absent where nothing was decided. */
  medianMs?: number
  /** Nine of ten were decided within it. */
  ninetiethMs?: number
}

export interface Insights {
  total: Decided & { held: number }
  /** Each day of the range, in order; `held` counts what was held then and has not been erased for good. */
  days: (Decided & { day: string; held: number })[]
  /** Where most was decided first; the first 100. */
  communities: (Decided & { communityId: string; displayName: string; held: number })[]
  /** Who decided most first; the first 100. Tokens, which belong to nobody, are one line. */
  people: (Decided & { userId?: string; displayName: string })[]
}

/** Ages by which what waits is counted: under an hour, two, four, a day, a week. */
export const AGE_EDGES_MINUTES = [60, 120, 240, 1_440, 10_080] as const

/** What waits now, less what is escalated, as the queue has it. */
export interface Waiting {
  total: number
  /** By how long it has been held: as many as there are AGE_EDGES_MINUTES, and one for all that is older. */
  ages: number[]
  /** How many have been held for longer than the target of their community. */
  pastTarget: number
  /** The target of the community asked for. */
  target?: { withinMinutes: number; sharePercent: number }
  communities: { communityId: string; displayName: string; waiting: number; pastTarget: number; isHolding: boolean }[]
}
