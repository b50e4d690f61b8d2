import type { Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { IS_HELD_POST } from '#server/modules/review/queue/desk-filter.ts'
import { atMost, IS_HELD } from '#server/modules/review/queue/held.ts'

/**
 * The number of pending items by this author that the caller may review, as an SQL expression; counting stops at `limit`. Uses
 * comment_held_of_author and post_of_author.
 */
export function countHeldByAuthor(ctx: Ctx, authorColumn: Sql, limit: number): Sql {
  return sql`(
    select count(*)::int from (
      (select from comment c
       where c.user_id = ${authorColumn} and ${IS_HELD} and ${mayInCommunity(ctx, 'reviewComments', sql`c.community_id`)}
       ${atMost(limit)})
      union all
      (select from post p
       where p.posted_user_id = ${authorColumn} and ${IS_HELD_POST} and ${mayInCommunity(ctx, 'reviewPosts', sql`p.community_id`)}
       ${atMost(limit)})
      ${atMost(limit)}) waiting)`
}
