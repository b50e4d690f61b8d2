import type { Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { atMost, isInOwnQueue } from '#server/modules/review/queue/held.ts'

/**
 * The number of pending items by this author that the caller may review, as an SQL expression; counting stops at `limit`. Uses
 * review_item_of_author.
 */
export function countHeldByAuthor(ctx: Ctx, authorColumn: Sql, limit: number): Sql {
  return sql`(
    select count(*)::int from (
      select from review_item i where i.author_id = ${authorColumn} and ${isInOwnQueue(ctx)} ${atMost(limit)}) waiting)`
}
