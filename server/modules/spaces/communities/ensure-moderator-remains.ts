import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, query } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { MODERATOR } from '#server/modules/spaces/communities/set-membership.ts'

/**
 * One moderator must remain (docs/interface/permissions.md#moderators-of-one-space). The caller has locked the community: of two moderators
 * who leave at once, the second fails. Uses community_user_roles.
 */
export async function ensureModeratorRemains(ctx: Ctx, communityId: string, userIds: string[]): Promise<void> {
  const others = await query(
    ctx,
    Prisma.sql`
    select cu.user_id from community_user cu
    where cu.community_id = ${communityId} and cu.roles @> array[${MODERATOR}] and cu.membership = 'member' and not cu.is_deleted
      and cu.user_id <> all(${userIds}) limit 1`,
  )
  if (others.length === 0) throw new DomainError('FORBIDDEN')
}
