import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { Prisma, type Sql } from '#server/core/db.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { isOpen } from '#server/modules/spaces/communities/visible.ts'

/** Whether `comment c` is visible to everyone who may see into its community: never held for review, or approved. */
export const IS_PUBLIC = Prisma.sql`(c.approval_status is null or c.approval_status = 'approved')`

export function mayReview(ctx: Ctx): Sql {
  return mayInCommunity(ctx, 'reviewComments', Prisma.sql`c.community_id`)
}

/** Whether the caller wrote `comment c`. */
export function isOwn(ctx: Ctx): Sql {
  return Prisma.sql`coalesce(c.user_id = ${actingUserId(ctx) ?? null}, false)`
}

/**
 * Whether the caller may see `comment c`, which belongs to `community k` where it has one, as an SQL condition. A pending or rejected one
 * is visible only to its author and to reviewers, everywhere.
 */
export function isVisible(ctx: Ctx): Sql {
  return Prisma.sql`(${isOwn(ctx)} or ${mayReview(ctx)} or (${IS_PUBLIC} and (c.community_id is null or ${isOpen(ctx)})))`
}
