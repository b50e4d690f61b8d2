import type { Ctx } from '#server/core/ctx.ts'
import { query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { countInView, isAcrossKinds, type ViewAcrossKinds } from '#server/modules/review/queue/across-kinds.ts'
import { COUNTED_ONE_BY_ONE, countOfKind } from '#server/modules/review/queue/count-kind.ts'
import { includesAllPending, matchingHeld, typesOf } from '#server/modules/review/queue/desk-filter.ts'
import { atMost } from '#server/modules/review/queue/held.ts'
import { ESCALATED_COUNTS, HELD_COUNTS } from '#server/modules/review/queue/held-counts.ts'
import { KINDS, kindOfView } from '#server/modules/review/queue/kinds.ts'
import { reviewedSpaces } from '#server/modules/review/queue/reviewed-spaces.ts'
import type { CommunityCount, DeskFilter, MatchingCount, QueueCounts } from '#server/modules/review/queue/schema.ts'
import { rulesHold } from '#server/modules/rules/judging/rules-hold.ts'

/** The most communities listed in one response, longest queues first. */
const COMMUNITIES_NAMED = 500
/**
 * Filtered counts are exact up to this limit; above it the response says so, which keeps it fast
 * (docs/interface/conventions.md#totals).
 */
const EXACT_UP_TO = COUNTED_ONE_BY_ONE
const COUNTED = atMost(EXACT_UP_TO + 1)

/** What is pending for the caller: of each community exact, from folded totals and open deltas read in one snapshot. */
export async function countQueue(ctx: Ctx): Promise<QueueCounts> {
  const across = (view: ViewAcrossKinds) => countRows(ctx, countInView(ctx, { view, timeZone: 'UTC' }, sql.empty))
  const [reported, escalated, mine, rows] = await Promise.all([
    countRows(ctx, countOfKind(ctx, KINDS.reported)),
    across('escalated'),
    across('mine'),
    countHeld(ctx),
  ])
  const communities = rows.map(({ total: _, ...named }) => named)
  return { total: rows[0]?.total ?? 0, mine, escalated, reported, communities }
}

async function countRows(ctx: Ctx, statement: Sql): Promise<number> {
  const found = await queryOne<{ count: number }>(ctx, statement)
  return found?.count ?? 0
}

type CountedRow = CommunityCount & { total: number }

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
      (sum(waiting - escalated) over ())::float8 as total
    from space where holds_all or waiting > 0
    order by held desc, display_name, community_id ${atMost(COMMUNITIES_NAMED)}`,
  )
}

/** How many items match the filter. Without a filter this is the exact count of `countQueue`. */
export async function countMatching(ctx: Ctx, { communityId, ...filter }: DeskFilter): Promise<MatchingCount> {
  const { view } = filter
  if (isAcrossKinds(view))
    return upToLimit(await countRows(ctx, countInView(ctx, { ...filter, communityId, view }, COUNTED)))
  if (view !== 'waiting') return countView(ctx, { ...filter, communityId })
  if (!includesAllPending(filter)) return upToLimit(await countMatchingHeld(ctx, { communityId, ...filter }))
  const { total, communities } = await countQueue(ctx)
  const ofCommunity = communities.find((one) => one.communityId === communityId)?.held ?? 0
  return { count: communityId === undefined ? total : ofCommunity, isLowerBound: false }
}

async function countView(ctx: Ctx, filter: DeskFilter): Promise<MatchingCount> {
  const kind = kindOfView(filter.view)
  const count = await countRows(ctx, countOfKind(ctx, kind, filter))
  return kind.tallies ? { count, isLowerBound: false } : upToLimit(count)
}

const upToLimit = (count: number): MatchingCount => ({
  count: Math.min(count, EXACT_UP_TO),
  isLowerBound: count > EXACT_UP_TO,
})

/** Comments and posts, up to one more than the limit. */
async function countMatchingHeld(ctx: Ctx, { communityId, ...filter }: DeskFilter): Promise<number> {
  const spaces = await reviewedSpaces(ctx, communityId)
  const probes = typesOf(filter).map((type) => {
    const ids = spaces.filter((space) => space[`${type}s`]).map((space) => space.communityId)
    return matchingHeld(ctx, filter, type, { communityColumn: sql`any(${ids}::text[])`, limit: COUNTED })
  })
  if (probes.length === 0) return 0
  const found = await queryOne<{ count: number }>(
    ctx,
    sql`
    select count(*)::int as count from (
      select from (${sql.join(probes, ' union all ')}) either ${COUNTED}) matching`,
  )
  return found?.count ?? 0
}
