import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { Prisma, type Sql } from '#server/core/db.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { isOpen } from '#server/modules/spaces/communities/visible.ts'

/** What of `comment c` everyone sees who may look into its community: never gated, or passed. */
export const IS_PUBLIC = Prisma.sql`(c.approval_status is null or c.approval_status = 'approved')`

export function mayReview(ctx: Ctx): Sql {
  return mayInCommunity(ctx, 'reviewComments', Prisma.sql`c.community_id`)
}

/** Whether the caller wrote `comment c`. */
export function isOwn(ctx: Ctx): Sql {
  return Prisma.sql`coalesce(c.user_id = ${actingUserId(ctx) ?? null}, false)`
}

/**
 * Whether the caller may know of `comment c`, which stands in `community k` where it stands in one, as an SQL condition. One
 * that waits or was rejected is known to its author and to reviewers only, wherever it would be shown.
 */
export function isVisible(ctx: Ctx): Sql {
  return Prisma.sql`(${isOwn(ctx)} or ${mayReview(ctx)} or (${IS_PUBLIC} and (c.community_id is null or ${isOpen(ctx)})))`
}
