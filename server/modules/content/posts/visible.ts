import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { Prisma, type Sql } from '#server/core/db.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { isOpen } from '#server/modules/spaces/communities/visible.ts'

export function mayReviewPosts(ctx: Ctx): Sql {
  return mayInCommunity(ctx, 'reviewPosts', Prisma.sql`p.community_id`)
}

/** Whether the caller wrote `post p`. */
export function isOwnPost(ctx: Ctx): Sql {
  return Prisma.sql`coalesce(p.posted_user_id = ${actingUserId(ctx) ?? null}, false)`
}

/**
 * Whether the caller may see `post p`, which belongs to `community k` where it has one, as an SQL condition. A pending or declined one is
 * visible only to its author and to reviewers.
 */
export function isPostVisible(ctx: Ctx): Sql {
  return Prisma.sql`(${isOwnPost(ctx)} or ${mayReviewPosts(ctx)}
    or (p.feed_type = 'published' and (p.community_id is null or ${isOpen(ctx)})))`
}
