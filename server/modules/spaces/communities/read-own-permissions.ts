import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import type { OwnPermissions } from '#server/modules/spaces/communities/schema.ts'
import { isVisible } from '#server/modules/spaces/communities/visible.ts'

/**
 * The caller's permissions in a community: those of their roles there, or in admin context of their network roles. Fails with NOT_FOUND for
 * one they may not see.
 */
export async function readOwnPermissions(ctx: Ctx, { communityId }: { communityId: string }): Promise<OwnPermissions> {
  const own = await queryOne<{ permissions: string[] }>(
    ctx,
    sql`
    select role_permissions(coalesce(mine.roles, '{}')) as permissions
    from community k
    left join community_user mine on mine.community_id = k.community_id and mine.user_id = ${actingUserId(ctx) ?? null}
      and mine.membership = 'member' and not mine.is_deleted
    where k.community_id = ${communityId} and ${isVisible(ctx)}`,
  )
  if (own === undefined) throw new DomainError('NOT_FOUND')
  return { permissions: ctx.actor.kind === 'admin' ? [...ctx.actor.permissions].sort() : own.permissions }
}
