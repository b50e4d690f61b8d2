import { daysRange } from '#server/core/time.ts'
import type { InsightsInput } from '#server/modules/review/insights/schema.ts'

/** A range of days, split at day boundaries. A day has several pieces if clocks were set back over midnight. */
export interface DayPieces {
  days: string[]
  /** The start of each piece, in order, and the day it belongs to. */
  starts: Date[]
  dayOf: number[]
  end: Date
}

export function dayPieces({ startDate, endDate, timeZone }: Omit<InsightsInput, 'communityId'>): DayPieces {
  const days: string[] = []
  const pieces: { from: Date; before: Date; day: number }[] = []
  for (let day = startDate; day <= endDate; day = dayAfter(day)) {
    const index = days.push(day) - 1
    for (const { from, before } of daysRange({ startDate: day, endDate: day, timeZone })) {
      if (from !== undefined && before !== undefined) pieces.push({ from, before, day: index })
    }
  }
  pieces.sort((one, other) => one.from.getTime() - other.from.getTime())
  return {
    days,
    starts: pieces.map(({ from }) => from),
    dayOf: pieces.map(({ day }) => day),
    end: pieces.at(-1)?.before ?? new Date(0),
  }
}

function dayAfter(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + 1)
  return date.toISOString().slice(0, 10)
}
