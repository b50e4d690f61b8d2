import { NO_PREPARE } from '#server/core/database/statement-names.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { daysRange, type InstantRange } from '#server/core/time.ts'

interface Days {
  startDate?: string | undefined
  endDate?: string | undefined
  timeZone: string
}

/** Whether the column is within the days, first to last, without the gaps between: a day has two pieces if a clock is set back over midnight. */
export function withinDays(days: Days, column: Sql): Sql {
  const ranges = rangesOf(days)
  const first = ranges[0]
  const last = ranges.at(-1)
  if (first === undefined || last === undefined) return sql`and false`
  if (first.from === undefined && last.before === undefined) return sql.empty

  const gaps = ranges.slice(1).map((range, index) => ({ from: ranges[index]?.before, before: range.from }))
  return sql`${NO_PREPARE}
    ${first.from ? sql`and ${column} >= ${first.from}` : sql.empty}
    ${last.before ? sql`and ${column} < ${last.before}` : sql.empty}
    ${
      gaps.length > 0
        ? sql.join(
            gaps.map((gap) => sql`and not (${column} >= ${gap.from} and ${column} < ${gap.before})`),
            ' ',
          )
        : sql.empty
    }`
}

function rangesOf({ startDate, endDate, timeZone }: Days): InstantRange[] {
  return startDate === undefined && endDate === undefined ? [{}] : daysRange({ startDate, endDate, timeZone })
}
