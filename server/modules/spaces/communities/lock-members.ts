import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, query, type Sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { ownRank, rankOf } from '#server/core/permissions.ts'
import { arePeers, outranks } from '#server/modules/accounts/roles/outranks.ts'
import type { CommunityUser } from '#server/modules/spaces/communities/schema.ts'

/** A user's membership in a community, before a change. */
export interface LockedMember {
  userId: string
  membership: CommunityUser['communityMembership']
  roles: string[]
  /** Whether the caller ranks above them. */
  isOutranked: boolean
  /** Whether both moderate there, neither ranking above the other. */
  isPeer: boolean
  /** Whether they rank no higher than the caller. */
  isLevel: boolean
}

interface Wanted {
  communityId: string
  userIds: string[]
  /** The caller's rank there, where it is not that of their roles. */
  rank?: Sql
}

/** Locks the memberships of these users in the community, always in the same order; users without one are left out. */
export function lockMembers(
  ctx: Ctx,
  { communityId, userIds, rank = ownRank(ctx, { communityId }) }: Wanted,
): Promise<LockedMember[]> {
  return query(
    ctx,
    Prisma.sql`
    select cu.user_id as "userId", case when cu.is_deleted then 'none' else cu.membership::text end as membership, cu.roles,
      ${outranks(ctx, Prisma.sql`cu.user_id`, { communityId }, rank)} as "isOutranked",
      ${arePeers(ctx, Prisma.sql`cu.user_id`, { communityId })} as "isPeer",
      ${rank} >= ${rankOf(Prisma.sql`cu.user_id`, { communityId })} as "isLevel"
    from community_user cu where cu.community_id = ${communityId} and cu.user_id = any(${userIds})
    order by cu.user_id for update of cu`,
  )
}

/**
 * The same for users who may not be members, so that of two concurrent changes to one user the second waits. NOT_FOUND for an unknown one.
 */
export async function lockAnyone(ctx: Ctx, { communityId, userIds }: Wanted): Promise<LockedMember[]> {
  await query(
    ctx,
    Prisma.sql`
    insert into community_user (community_id, user_id, created_at, updated_at)
    select ${communityId}, u.user_id, ${ctx.now()}, ${ctx.now()} from network_user u
    where u.user_id = any(${userIds}) and not u.is_deleted order by u.user_id
    on conflict do nothing returning 1 as added`,
  )
  const members = await lockMembers(ctx, { communityId, userIds })
  if (members.length < new Set(userIds).size) throw new DomainError('NOT_FOUND')
  return members
}
