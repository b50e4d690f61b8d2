import type { Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds, mayInCommunity } from '#server/core/permissions.ts'
import { rulesHold } from '#server/modules/rules/judging/rules-hold.ts'

/**
 * The communities whose figures the caller may see, as a subquery of `community_id`, `display_name`, `comments` and `posts`:
 * all of them with VIEW_HISTORY, else those the caller reviews.
 */
export function visibleSpaces(ctx: Ctx, communityId: string | undefined): Sql {
  const community = sql`k.community_id`
  const sees = (action: 'reviewComments' | 'reviewPosts') =>
    holds(ctx, 'VIEW_HISTORY') ? sql`true` : mayInCommunity(ctx, action, community)
  return sql`(
    select * from (
      select k.community_id, coalesce(nullif(k.display_name, ''), k.community_id) as display_name, ${sees('reviewComments')} as comments,
        ${sees('reviewPosts')} as posts,
        k.need_approval_on_comment_creation or k.need_approval_on_post_creation
          or ${rulesHold('comment', community)} or ${rulesHold('post', community)} as is_holding
      from community k
      where not k.is_deleted and ${communityId === undefined ? sql`true` : sql`k.community_id = ${communityId}`}) k
    where comments or posts)`
}

/** Fails with NOT_FOUND for an unknown community, FORBIDDEN for one the caller may not see and for callers who may see none. */
export async function assertVisible(ctx: Ctx, communityId: string | undefined): Promise<void> {
  if (communityId === undefined && holds(ctx, 'VIEW_HISTORY')) return
  const [seen] = await query(ctx, sql`select true as found from ${visibleSpaces(ctx, communityId)} space limit 1`)
  if (seen !== undefined) return
  if (communityId === undefined) throw new DomainError('FORBIDDEN')
  const [known] = await query(
    ctx,
    sql`select true as found from community k where k.community_id = ${communityId} and not k.is_deleted`,
  )
  throw new DomainError(known === undefined ? 'NOT_FOUND' : 'FORBIDDEN')
}
