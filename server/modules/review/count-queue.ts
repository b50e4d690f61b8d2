import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, query, queryOne } from '#server/core/db.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { atMost, hasDates, matches } from '#server/modules/review/held.ts'
import type { CommunityCount, DeskFilter, MatchingCount, QueueCounts } from '#server/modules/review/schema.ts'

/** Communities named in one answer, those with the longest queues first. */
const COMMUNITIES_NAMED = 500
/** CONTRACT.md: filtered counts are exact up to here; beyond, the answer stays fast and says so. */
const EXACT_UP_TO = 10_000

/** What waits in each community the caller reviews: exact, from folded totals and open deltas read in one snapshot. */
export async function countQueue(ctx: Ctx): Promise<QueueCounts> {
  const rows = await query<CommunityCount & { total: number }>(
    ctx,
    Prisma.sql`
    select k.community_id as "communityId", coalesce(nullif(k.display_name, ''), k.community_id) as "displayName",
      (coalesce(t.total, 0) + coalesce(d.open, 0))::float8 as held, k.need_approval_on_comment_creation as "holdsComments",
      (sum(coalesce(t.total, 0) + coalesce(d.open, 0)) over ())::float8 as total
    from community k
    left join tally t on t.kind = 'held_comments' and t.subject_id = k.community_id
    left join (
      select subject_id, sum(delta) as open from tally_delta where kind = 'held_comments' group by subject_id
    ) d on d.subject_id = k.community_id
    where ${mayInCommunity(ctx, 'reviewComments', Prisma.sql`k.community_id`)} and not k.is_deleted
      and (k.need_approval_on_comment_creation or coalesce(t.total, 0) + coalesce(d.open, 0) > 0)
    order by held desc, "displayName", "communityId" ${atMost(COMMUNITIES_NAMED)}`,
  )
  return {
    total: rows[0]?.total ?? 0,
    communities: rows.map(({ total: _, ...community }) => community),
  }
}

/** How many held comments match the desk's filter. Without post and dates this is the exact count of `countQueue`. */
export async function countMatching(ctx: Ctx, { communityId, ...filter }: DeskFilter): Promise<MatchingCount> {
  const { total, communities } = await countQueue(ctx)
  if (filter.postId === undefined && !hasDates(filter)) {
    const count =
      communityId === undefined ? total : (communities.find((one) => one.communityId === communityId)?.held ?? 0)
    return { count, isLowerBound: false }
  }

  const places = communities.filter((one) => communityId === undefined || one.communityId === communityId)
  const found = await queryOne<{ count: number }>(
    ctx,
    Prisma.sql`
    select count(*)::int as count from (
      select from comment c where c.community_id = any(${places.map((one) => one.communityId)}::text[]) and ${matches(filter)}
      ${atMost(EXACT_UP_TO + 1)}) matching`,
  )
  const count = found?.count ?? 0
  return { count: Math.min(count, EXACT_UP_TO), isLowerBound: count > EXACT_UP_TO }
}
