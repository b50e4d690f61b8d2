import type { Ctx } from '#server/core/ctx.ts'
import { NO_PREPARE } from '#server/core/database/statement-names.ts'
import { query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { present } from '#server/core/present.ts'
import { type DayPieces, dayPieces } from '#server/modules/review/insights/day-pieces.ts'
import type { InsightsInput, Pace, Patterns } from '#server/modules/review/insights/schema.ts'
import { HOURS_A_WEEK, weekHourOf } from '#server/modules/review/insights/week-hours.ts'
import { assertVisible, visibleSpaces } from '#server/modules/review/queue/visible-spaces.ts'

/** Of how many items, those held last, rules are counted: enough for shares, few enough for a moment. */
const ITEMS = 10_000
const NAMED_AT_MOST = 100
const PACE_DAYS = 7
const DAY_MS = 86_400_000

/**
 * When items come and are decided, why they are held and rejected, and whether the queue becomes shorter. Exact, except for the rules of more than 10,000 items.
 * Fails as `readInsights` does.
 */
export async function readPatterns(ctx: Ctx, { communityId, ...range }: InsightsInput): Promise<Patterns> {
  await assertVisible(ctx, communityId)
  const pieces = dayPieces(range)
  const spaces = visibleSpaces(ctx, communityId)
  const [held, decided, reasons, rules, pace] = await Promise.all([
    countHeld(ctx, spaces, { pieces, timeZone: range.timeZone }),
    countDecided(ctx, spaces, { pieces, timeZone: range.timeZone }),
    readReasons(ctx, spaces, pieces),
    readRules(ctx, spaces, pieces),
    readPace(ctx, spaces),
  ])
  const inWeek = <Hour extends { hour: number }>(rows: Hour[], of: (row: Hour) => number) => {
    const counts = new Map(rows.map((row) => [row.hour, of(row)]))
    return Array.from({ length: HOURS_A_WEEK }, (_, hour) => counts.get(hour) ?? 0)
  }
  return {
    hours: {
      held: inWeek(held, ({ count }) => count),
      approved: inWeek(decided, ({ approved }) => approved),
      rejected: inWeek(decided, ({ rejected }) => rejected),
    },
    reasons,
    rules,
    pace,
  }
}

interface InZone {
  pieces: DayPieces
  timeZone: string
}

/** Uses review_item_opened. */
function countHeld(ctx: Ctx, spaces: Sql, { pieces, timeZone }: InZone): Promise<{ hour: number; count: number }[]> {
  return query(
    ctx,
    sql`
    with space as materialized (select * from ${spaces} space)
    select ${weekHourOf(pieces, timeZone, sql`i.opened_at`)} as hour, count(*)::int as count
    from space join review_item i on i.community_id = space.community_id
    where ${isHeldWithin(pieces)} group by 1`,
  )
}

/** Reads decision_on_held only. */
function countDecided(
  ctx: Ctx,
  spaces: Sql,
  { pieces, timeZone }: InZone,
): Promise<{ hour: number; approved: number; rejected: number }[]> {
  return query(
    ctx,
    sql`
    with space as materialized (select * from ${spaces} space)
    select ${weekHourOf(pieces, timeZone, sql`d.decided_at`)} as hour,
      (count(*) filter (where d.outcome = 'approved'))::int as approved, (count(*) filter (where d.outcome = 'rejected'))::int as rejected
    from space join decision d on d.community_id = space.community_id
    where ${isDecidedWithin(pieces)} group by 1`,
  )
}

/** The managed reasons of rejections, the most frequent first; other rejections share one row. Reads decision_on_held only. */
async function readReasons(ctx: Ctx, spaces: Sql, pieces: DayPieces): Promise<Patterns['reasons']> {
  const rows = await query<{ reasonId: string | null; label: string | null; count: number }>(
    ctx,
    sql`
    with space as materialized (select * from ${spaces} space),
    given as (
      select d.reason_id, count(*)::int as count from space join decision d on d.community_id = space.community_id
      where d.outcome = 'rejected' and ${isDecidedWithin(pieces)} group by d.reason_id)
    select g.reason_id, coalesce(r.label, g.reason_id) as label, g.count from given g left join rejection_reason r on r.reason_id = g.reason_id
    order by g.count desc, label, g.reason_id ${sql.raw(`limit ${NAMED_AT_MOST}`)}`,
  )
  return rows.map(({ reasonId, label, count }) => ({ count, ...present({ reasonId, label }) }))
}

interface RulesRow {
  items: number
  ruleId: string | null
  name: string | null
  count: number
}

/**
 * How many of the items that were held last each rule held; an item can be of several, and what no rule held shares one row. Uses review_item_opened backwards in
 * each community, and rule_match_subject_type_subject_id_rule_id_key.
 */
async function readRules(ctx: Ctx, spaces: Sql, pieces: DayPieces): Promise<Patterns['rules']> {
  const most = sql.raw(`limit ${ITEMS + 1}`)
  const rows = await query<RulesRow>(
    ctx,
    sql`
    with space as materialized (select * from ${spaces} space),
    latest as materialized (
      select i.* from space cross join lateral (
        select i.subject_type, i.subject_id, i.opened_at from review_item i
        where i.community_id = space.community_id and ${isHeldWithin(pieces)} order by i.opened_at desc ${most}) i
      order by i.opened_at desc, i.subject_id ${most}),
    item as (select * from latest ${sql.raw(`limit ${ITEMS}`)}),
    holder as (
      select item.subject_type, item.subject_id, v.rule_id from item
      left join (rule_match m join rule_version v on v.rule_id = m.rule_id and v.version = m.version and v.action ->> 'type' = 'hold')
        on m.subject_type = item.subject_type::subject_type and m.subject_id = item.subject_id and m.is_live),
    counted as (select rule_id, count(*)::int as count from holder group by rule_id)
    select (select count(*)::int from latest) as items, c.rule_id, r.name, c.count
    from counted c left join rule r on r.rule_id = c.rule_id
    order by c.count desc, r.name, c.rule_id ${sql.raw(`limit ${NAMED_AT_MOST}`)}`,
  )
  const found = rows[0]?.items ?? 0
  return {
    items: Math.min(found, ITEMS),
    isPartial: found > ITEMS,
    held: rows.map(({ ruleId, name, count }) => ({ count, ...present({ ruleId, name }) })),
  }
}

/** Uses review_item_opened and decision_on_held. */
async function readPace(ctx: Ctx, spaces: Sql): Promise<Pace> {
  const now = ctx.now()
  const pieces = { days: [], starts: [new Date(now.getTime() - PACE_DAYS * DAY_MS)], dayOf: [], end: now }
  const row = await queryOne<Pick<Pace, 'held' | 'decided'>>(
    ctx,
    sql`
    with space as materialized (select * from ${spaces} space)
    select
      (select count(*)::int from space join review_item i on i.community_id = space.community_id where ${isHeldWithin(pieces)}) as held,
      (select count(*)::int from space join decision d on d.community_id = space.community_id where ${isDecidedWithin(pieces)}) as decided`,
  )
  return { days: PACE_DAYS, held: row?.held ?? 0, decided: row?.decided ?? 0 }
}

function isHeldWithin({ starts, end }: DayPieces): Sql {
  return sql`${NO_PREPARE} i.kind = 'held' and i.opened_at is not null and i.opened_at >= ${starts[0] ?? end} and i.opened_at < ${end}
    and case i.subject_type when 'comment' then space.comments else space.posts end`
}

/** The first decision on an item, as in `readInsights`. */
function isDecidedWithin({ starts, end }: DayPieces): Sql {
  return sql`${NO_PREPARE} d.held_at is not null and d.undone_at is null and d.decided_at >= ${starts[0] ?? end} and d.decided_at < ${end}
    and (space.comments and d.subject_type = 'comment' or space.posts and d.subject_type = 'post')`
}
