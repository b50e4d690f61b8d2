import type { Ctx } from '#server/core/ctx.ts'
import { query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { countReports } from '#server/modules/review/queue/count-reports.ts'
import { isMine, isWhole, matchingHeld, typesOf } from '#server/modules/review/queue/desk-filter.ts'
import { atMost, isInOwnQueue } from '#server/modules/review/queue/held.ts'
import { ESCALATED_COUNTS, HELD_COUNTS } from '#server/modules/review/queue/held-counts.ts'
import { countReportsInView, isMixedView } from '#server/modules/review/queue/reports-in-view.ts'
import { reviewedSpaces } from '#server/modules/review/queue/reviewed-spaces.ts'
import type { CommunityCount, DeskFilter, MatchingCount, QueueCounts } from '#server/modules/review/queue/schema.ts'
import { rulesHold } from '#server/modules/rules/judging/rules-hold.ts'

/** The most communities listed in one response, longest queues first. */
const COMMUNITIES_NAMED = 500
/**
 * Filtered counts are exact up to this limit; above it the response says so, which keeps it fast
 * (docs/interface/conventions.md#totals).
 */
const EXACT_UP_TO = 10_000

/** Pending items in each community the caller reviews: exact, from folded totals and open deltas read in one snapshot. */
export async function countQueue(ctx: Ctx): Promise<QueueCounts> {
  const [reported, escalatedReports, claimedReports, rows] = await Promise.all([
    countReports(ctx),
    countReportsInView(ctx, { view: 'escalated', timeZone: 'UTC' }),
    countReportsInView(ctx, { view: 'mine', timeZone: 'UTC' }),
    countHeld(ctx),
  ])
  return {
    total: rows[0]?.total ?? 0,
    mine: (rows[0]?.mine ?? 0) + claimedReports,
    escalated: (rows[0]?.escalated ?? 0) + escalatedReports,
    reported,
    communities: rows.map(({ total: _, escalated: __, mine: ___, ...named }) => named),
  }
}

type CountedRow = CommunityCount & { total: number; escalated: number; mine: number }

function countHeld(ctx: Ctx): Promise<CountedRow[]> {
  const community = sql`k.community_id`
  return query<CountedRow>(
    ctx,
    sql`
    with waiting as (${HELD_COUNTS}), escalated as (${ESCALATED_COUNTS}),
    space as (
      select k.community_id, k.display_name,
        k.need_approval_on_comment_creation and m.comments or k.need_approval_on_post_creation and m.posts as holds_all,
        ${rulesHold('comment', community)} and m.comments or ${rulesHold('post', community)} and m.posts as rules_hold,
        case when m.comments then coalesce(c.total, 0) else 0 end + case when m.posts then coalesce(p.total, 0) else 0 end as waiting,
        case when m.comments then coalesce(e.comments, 0) else 0 end + case when m.posts then coalesce(e.posts, 0) else 0 end as escalated
      from community k
      cross join lateral (
        select ${mayInCommunity(ctx, 'reviewComments', community)} as comments, ${mayInCommunity(ctx, 'reviewPosts', community)} as posts) m
      left join waiting c on c.kind = 'held_comments' and c.subject_id = k.community_id
      left join waiting p on p.kind = 'held_posts' and p.subject_id = k.community_id
      left join escalated e on e.community_id = k.community_id
      where not k.is_deleted and (m.comments or m.posts))
    select community_id, coalesce(nullif(display_name, ''), community_id) as display_name,
      (waiting - escalated)::float8 as held, holds_all or rules_hold as is_holding,
      (sum(waiting - escalated) over ())::float8 as total, (sum(escalated) over ())::float8 as escalated,
      ${countMine(ctx)} as mine
    from space where holds_all or waiting > 0
    order by held desc, display_name, community_id ${atMost(COMMUNITIES_NAMED)}`,
  )
}

/** The caller's claims of pending items that they review. */
function countMine(ctx: Ctx): Sql {
  return sql`(
    select count(*)::int from (select * from review_item i where ${isMine(ctx)} offset 0) i where ${isInOwnQueue(ctx)})`
}

/** How many items match the filter. Without a filter this is the exact count of `countQueue`. */
export async function countMatching(ctx: Ctx, { communityId, ...filter }: DeskFilter): Promise<MatchingCount> {
  if (filter.view === 'reported')
    return { count: await countReports(ctx, { communityId, kind: filter.kind }), isLowerBound: false }
  if (isWhole(filter)) {
    const { total, communities } = await countQueue(ctx)
    const count =
      communityId === undefined ? total : (communities.find((one) => one.communityId === communityId)?.held ?? 0)
    return { count, isLowerBound: false }
  }
  const { view } = filter
  const [held, reports] = await Promise.all([
    countMatchingHeld(ctx, { communityId, ...filter }),
    isMixedView(view) ? countReportsInView(ctx, { communityId, ...filter, view }) : 0,
  ])
  const count = held + reports
  return { count: Math.min(count, EXACT_UP_TO), isLowerBound: count > EXACT_UP_TO }
}

/** Comments and posts, up to one more than the limit. */
async function countMatchingHeld(ctx: Ctx, { communityId, ...filter }: DeskFilter): Promise<number> {
  const spaces = await reviewedSpaces(ctx, communityId)
  const limit = atMost(EXACT_UP_TO + 1)
  const probes = typesOf(filter).map((type) => {
    const ids = spaces.filter((space) => space[`${type}s`]).map((space) => space.communityId)
    return matchingHeld(ctx, filter, type, { communityColumn: sql`any(${ids}::text[])`, limit })
  })
  if (probes.length === 0) return 0
  const found = await queryOne<{ count: number }>(
    ctx,
    sql`
    select count(*)::int as count from (
      select from (${sql.join(probes, ' union all ')}) either ${limit}) matching`,
  )
  return found?.count ?? 0
}
