import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import type { SpaceTable } from '#server/modules/spaces/membership/space-kinds.ts'

/**
 * One moderator must remain besides these (docs/interface/permissions.md#moderators-of-one-space): FORBIDDEN. The space is locked: of two
 * moderators who leave, or take the role from each other, at once, the second fails. Uses channel_user_roles or community_user_roles.
 */
export async function ensureModeratorRemains(
  ctx: Ctx,
  { members, id, moderator }: SpaceTable,
  { spaceId, userIds }: { spaceId: string; userIds: string[] },
): Promise<void> {
  const others = await query(
    ctx,
    sql`
    select cu.user_id from ${members} cu
    where cu.${id} = ${spaceId} and cu.roles @> array[${moderator}] and cu.membership = 'member' and not cu.is_deleted
      and cu.user_id <> all(${userIds}) limit 1`,
  )
  if (others.length === 0) throw new DomainError('FORBIDDEN')
}
