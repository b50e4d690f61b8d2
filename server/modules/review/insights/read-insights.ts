import type { Ctx } from '#server/core/ctx.ts'
import { NO_PREPARE } from '#server/core/database/statement-names.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { present } from '#server/core/present.ts'
import { type DayPieces, dayPieces } from '#server/modules/review/insights/day-pieces.ts'
import type { Decided, Insights, InsightsInput } from '#server/modules/review/insights/schema.ts'
import { assertVisible, visibleSpaces } from '#server/modules/review/queue/visible-spaces.ts'

const NAMED_AT_MOST = 100

/**
 * What was held and decided in a period: exact, by day, community and person. For callers with VIEW_HISTORY, and for reviewers
 * as far as they review; FORBIDDEN for others, NOT_FOUND for an unknown community.
 */
export async function readInsights(ctx: Ctx, { communityId, ...range }: InsightsInput): Promise<Insights> {
  await assertVisible(ctx, communityId)
  const pieces = dayPieces(range)
  const spaces = visibleSpaces(ctx, communityId)
  const [decided, held] = await Promise.all([readDecided(ctx, spaces, pieces), readHeld(ctx, spaces, pieces)])
  return {
    total: { held: held.of('all', null)?.count ?? 0, ...toDecided(decided.of('all', null)) },
    days: pieces.days.map((day, index) => ({
      day,
      held: held.of('day', String(index))?.count ?? 0,
      ...toDecided(decided.of('day', String(index))),
    })),
    communities: [...new Map([...held.by('community'), ...decided.by('community')].map(({ key, name }) => [key, name]))]
      .map(([key, name]) => ({
        communityId: key ?? '',
        displayName: name ?? '',
        held: held.of('community', key)?.count ?? 0,
        ...toDecided(decided.of('community', key)),
      }))
      .sort(byDecided)
      .slice(0, NAMED_AT_MOST),
    people: decided
      .by('person')
      .map((row) => ({ ...present({ userId: row.key }), displayName: row.name ?? row.key ?? '', ...toDecided(row) }))
      .sort(byDecided)
      .slice(0, NAMED_AT_MOST),
  }
}

/** The subject of one row of figures; `key` identifies it, and is absent for the total and for decisions made by tokens. */
interface Line {
  by: 'all' | 'day' | 'community' | 'person'
  key: string | null
  name: string | null
}

interface DecidedLine extends Line {
  approved: number
  rejected: number
  /** The median and the 90th percentile, in milliseconds. */
  spans: [number, number]
}

/** Reads decision_on_held only: four groupings in one pass. */
async function readDecided(ctx: Ctx, spaces: Sql, pieces: DayPieces) {
  return linesOf(
    await query<DecidedLine>(
      ctx,
      sql`
      with space as materialized (select * from ${spaces} space),
      made as (
        select d.community_id, d.decided_by, d.outcome, round(date_part('epoch', d.decided_at - d.held_at) * 1000) as took,
          ${dayOf(pieces, sql`d.decided_at`)} as day
        from space join decision d on d.community_id = space.community_id
        where d.held_at is not null and d.undone_at is null and ${isWithin(pieces, sql`d.decided_at`)}
          and (space.comments and d.subject_type = 'comment' or space.posts and d.subject_type = 'post')),
      line as (
        select case grouping(day, community_id, decided_by) when 7 then 'all' when 3 then 'day' when 5 then 'community' else 'person' end as by,
          coalesce(day::text, community_id, decided_by) as key,
          (count(*) filter (where outcome = 'approved'))::int as approved, (count(*) filter (where outcome = 'rejected'))::int as rejected,
          percentile_disc(array[0.5, 0.9]) within group (order by took) as spans
        from made group by grouping sets ((), (day), (community_id), (decided_by)))
      select line.*, coalesce(space.display_name, nullif(u.display_name, '')) as name
      from line left join space on line.by = 'community' and space.community_id = line.key
        left join network_user u on line.by = 'person' and u.user_id = line.key
      where line.approved + line.rejected > 0`,
    ),
  )
}

/** Reads review_item_opened only. */
async function readHeld(ctx: Ctx, spaces: Sql, pieces: DayPieces) {
  return linesOf(
    await query<Line & { count: number }>(
      ctx,
      sql`
      with space as materialized (select * from ${spaces} space),
      held as (
        select i.community_id, ${dayOf(pieces, sql`i.opened_at`)} as day
        from space join review_item i on i.community_id = space.community_id
        where i.kind = 'held' and i.opened_at is not null and ${isWithin(pieces, sql`i.opened_at`)}
          and case i.subject_type when 'comment' then space.comments else space.posts end),
      line as (
        select case grouping(day, community_id) when 3 then 'all' when 1 then 'day' else 'community' end as by,
          coalesce(day::text, community_id) as key, count(*)::int as count
        from held group by grouping sets ((), (day), (community_id)))
      select line.*, space.display_name as name
      from line left join space on line.by = 'community' and space.community_id = line.key`,
    ),
  )
}

function isWithin({ starts, end }: DayPieces, column: Sql): Sql {
  return sql`${NO_PREPARE} ${column} >= ${starts[0] ?? end} and ${column} < ${end}`
}

/** The day's number: a small grouping key for millions of rows. */
function dayOf({ starts, dayOf }: DayPieces, column: Sql): Sql {
  return sql`(${dayOf}::int[])[width_bucket(${column}, ${starts}::timestamptz[])]`
}

function linesOf<Found extends Line>(lines: Found[]) {
  const byName = new Map(lines.map((line) => [`${line.by} ${line.key}`, line]))
  return {
    of: (by: Line['by'], key: string | null) => byName.get(`${by} ${key}`),
    by: (by: Line['by']) => lines.filter((line) => line.by === by),
  }
}

function toDecided(line: DecidedLine | undefined): Decided {
  if (line === undefined) return { approved: 0, rejected: 0 }
  const { approved, rejected, spans } = line
  return { approved, rejected, medianMs: spans[0], ninetiethMs: spans[1] }
}

function byDecided(one: Named, other: Named): number {
  const decided = ({ approved, rejected }: Decided) => approved + rejected
  return decided(other) - decided(one) || one.displayName.localeCompare(other.displayName)
}
type Named = Decided & { displayName: string }
