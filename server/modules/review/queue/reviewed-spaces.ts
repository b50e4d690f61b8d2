import type { Ctx } from '#server/core/ctx.ts'
import { query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { type HeldType, IS_HELD, isOfType } from '#server/modules/content/items/held.ts'
import { mayReviewType } from '#server/modules/review/queue/held.ts'

/** A community, and what the caller reviews in it. */
export interface ReviewedSpace {
  communityId: string
  displayName: string
  comments: boolean
  posts: boolean
}

/**
 * The communities to search: the requested one, or all with pending items that the caller reviews. Fails with NOT_FOUND for an
 * unknown one, FORBIDDEN for one the caller does not review. Uses review_item_in_community, which the
 * order needs.
 */
export async function reviewedSpaces(ctx: Ctx, communityId: string | undefined): Promise<ReviewedSpace[]> {
  const community = sql`k.community_id`
  const columns = sql`
    k.community_id, coalesce(nullif(k.display_name, ''), k.community_id) as display_name,
    ${mayReviewType(ctx, 'comment', community)} as comments, ${mayReviewType(ctx, 'post', community)} as posts`
  if (communityId === undefined) {
    const spaces = await query<ReviewedSpace>(
      ctx,
      sql`
      select ${columns} from community k
      where not k.is_deleted and (
        ${mayReviewType(ctx, 'comment', community)} and ${holdsAny('comment')}
        or ${mayReviewType(ctx, 'post', community)} and ${holdsAny('post')})`,
    )
    return spaces
  }

  const space = await queryOne<ReviewedSpace>(
    ctx,
    sql`select ${columns} from community k where k.community_id = ${communityId} and not k.is_deleted`,
  )
  if (space === undefined) throw new DomainError('NOT_FOUND')
  if (!space.comments && !space.posts) throw new DomainError('FORBIDDEN')
  return [space]
}

/** Whether items of this type wait in the community `k`. */
const holdsAny = (type: HeldType) => sql`(
  select true from review_item i where i.community_id = k.community_id and ${isOfType(type)} and ${IS_HELD} order by i.placed_at desc limit 1)`

/** Whether the caller reviews anything at all. */
export function reviewsSomewhere(ctx: Ctx): Sql {
  return sql`exists (select from community k where not k.is_deleted and ${reviewsIn(ctx, sql`k.community_id`)})`
}

/** Whether the caller reviews anything in the community of the column. */
export function reviewsIn(ctx: Ctx, communityColumn: Sql): Sql {
  return sql`(${mayReviewType(ctx, 'comment', communityColumn)} or ${mayReviewType(ctx, 'post', communityColumn)})`
}
