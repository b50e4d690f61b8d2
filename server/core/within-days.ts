import { NO_PREPARE, Prisma, type Sql } from '#server/core/db.ts'
import { daysRange, type InstantRange } from '#server/core/time.ts'

interface Days {
  startDate?: string | undefined
  endDate?: string | undefined
  timeZone: string
}

/** From the first instant to the last, without the gaps between: a day has two pieces if a clock is set back over midnight. */
export function withinDays(days: Days, column: Sql): Sql {
  const ranges = rangesOf(days)
  const first = ranges[0]
  const last = ranges.at(-1)
  if (first === undefined || last === undefined) return Prisma.sql`and false`
  if (first.from === undefined && last.before === undefined) return Prisma.empty

  const gaps = ranges.slice(1).map((range, index) => ({ from: ranges[index]?.before, before: range.from }))
  return Prisma.sql`${NO_PREPARE}
    ${first.from ? Prisma.sql`and ${column} >= ${first.from}` : Prisma.empty}
    ${last.before ? Prisma.sql`and ${column} < ${last.before}` : Prisma.empty}
    ${
      gaps.length > 0
        ? Prisma.join(
            gaps.map((gap) => Prisma.sql`and not (${column} >= ${gap.from} and ${column} < ${gap.before})`),
            ' ',
          )
        : Prisma.empty
    }`
}

function rangesOf({ startDate, endDate, timeZone }: Days): InstantRange[] {
  return startDate === undefined && endDate === undefined ? [{}] : daysRange({ startDate, endDate, timeZone })
}
