import { z } from 'zod'
import { CalendarDate, TimeZone } from '#server/core/calendar.ts'
import { text } from '#server/core/text.ts'

/** The longest period, in days. */
const DAYS_LIMIT = 366

const CommunityOrAll = { communityId: text({ min: 1, max: 900 }).optional() }

/** Whole days of `timeZone`; without a community, all communities visible to the caller. */
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

/** Whole days of `timeZone`, in one community. */
export const CalibrationInput = InsightsInput.and(z.object({ communityId: text({ min: 1, max: 900 }) }))
export type CalibrationInput = z.output<typeof CalibrationInput>

/** What people decided on items with a score in one tenth: of `from` and higher, in the highest of 1 too. */
export interface ScoreBand {
  /** 0, 0.1, …, 0.9. */
  from: number
  approved: number
  rejected: number
  /** Where the share of rejections among such items lies with 95 % confidence, from 0 to 1 (Wilson's score interval). */
  rejectedBetween: [number, number]
}

/** What people decided on scored items, for each signal: those on most items first. */
export interface Calibration {
  /** The latest decisions of the period that were looked at; `isPartial` if there are more. */
  decisions: number
  isPartial: boolean
  /** Bands without items are left out. */
  signals: { name: string; items: number; bands: ScoreBand[] }[]
}

export const WaitingInput = z.object(CommunityOrAll)
export type WaitingInput = z.output<typeof WaitingInput>

function daysBetween(startDate: string, endDate: string): number {
  return (Date.parse(endDate) - Date.parse(startDate)) / 86_400_000
}

/** Decisions on held items, minus undone ones, and how long the items had been held by then. */
export interface Decided {
  approved: number
  rejected: number
  /** Absent if nothing was decided. */
  medianMs?: number
  /** The 90th percentile. */
  ninetiethMs?: number
}

export interface Insights {
  total: Decided & { held: number }
  /** Each day of the range, in order; `held` counts items held that day that have not been erased since. */
  days: (Decided & { day: string; held: number })[]
  /** Most decisions first; the first 100. */
  communities: (Decided & { communityId: string; displayName: string; held: number })[]
  /** Most decisions first; the first 100. Tokens, which belong to nobody, share one row. */
  people: (Decided & { userId?: string; displayName: string })[]
}

/** How many items were held, and how many decided for the first time, in the last days up to now. */
export interface Pace {
  days: number
  held: number
  decided: number
}

/** When items come and are decided in a period, and why they are held and rejected. */
export interface Patterns {
  /** For each hour of the week in the zone, from Monday 0:00 on: 168 counts of the whole period. */
  hours: { held: number[]; approved: number[]; rejected: number[] }
  /** Of the rejections: most first, the first 100. Those without a managed reason share one row without `reasonId`. */
  reasons: { reasonId?: string; label?: string; count: number }[]
  /**
   * How many of `items` each rule held, most first, the first 100; what no rule held shares one row without `ruleId`. An item can be of several. `isPartial`: more
   * were held in the period than the latest that are counted.
   */
  rules: { items: number; isPartial: boolean; held: { ruleId?: string; name?: string; count: number }[] }
  /** The last seven days, whatever the period. */
  pace: Pace
}

/** Age buckets of pending items: under one hour, two, four, a day, a week. */
export const AGE_EDGES_MINUTES = [60, 120, 240, 1_440, 10_080] as const

/** What is pending now, minus what is escalated, as in the queue. */
export interface Waiting {
  total: number
  /** By time held: one bucket for each of AGE_EDGES_MINUTES, and one for everything older. */
  ages: number[]
  /** How many have been held longer than their community's target. */
  pastTarget: number
  /** The target of the requested community. */
  target?: { withinMinutes: number; sharePercent: number }
  communities: { communityId: string; displayName: string; waiting: number; pastTarget: number; isHolding: boolean }[]
}

/** Since when: the start of the caller's day. */
export const OwnDayInput = z.object({ since: z.iso.datetime() })
export type OwnDayInput = z.output<typeof OwnDayInput>

/** The caller's own decisions of a day; `medianMs` is the time that each took, absent before the second. */
export interface OwnDay {
  decided: number
  medianMs?: number
}

/** The figures as a file. */
export interface InsightsFile {
  fileName: string
  csv: string
}
