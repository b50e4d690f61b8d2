import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, Prisma, query, queryOne, type Sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mayInCommunity, ownRank } from '#server/core/permissions.ts'
import { hasStaffAmong } from '#server/modules/access/has-staff-among.ts'
import { answerCommunities } from '#server/modules/communities/answer-communities.ts'
import { lockCommunity } from '#server/modules/communities/lock-community.ts'
import { type LockedMember, lockMembers } from '#server/modules/communities/lock-members.ts'
import { refuseLastModerator } from '#server/modules/communities/refuse-last-moderator.ts'
import type { CommunitiesAnswer } from '#server/modules/communities/schema.ts'
import { count, isModerator, MODERATOR } from '#server/modules/communities/set-membership.ts'
import { tellMembers } from '#server/modules/communities/tell-members.ts'
import { type Authority, refuseRolesAbove } from '#server/modules/roles/refuse-roles-above.ts'

export interface RolesChange {
  communityId: string
  roles: string[]
  userIds: string[]
}

/**
 * INTERFACE.md, endpoint 3: gives community roles to members, all of them or none. The caller acts with a bearer token or with an
 * API key that is allowed `roles`. Fails with NOT_FOUND for a role, community or member that is not there, BANNED where one is
 * banned there, FORBIDDEN for a role that is not a community's or goes beyond the caller's, and for users who are not below.
 */
export function addRoles(ctx: Ctx, change: RolesChange): Promise<CommunitiesAnswer> {
  return inTransaction(ctx, async (ctx) => {
    const rank = rankWhere(ctx, change)
    await lockForRoles(ctx, change)
    await refuseRolesAbove(ctx, change.roles, 'community', await readAuthority(ctx, change, rank))
    const members = await lockTargets(ctx, change, rank)
    return settle(ctx, change.communityId, members, (roles) => [...new Set([...roles, ...change.roles])])
  })
}

/** Takes roles from members, all of them or none. Fails as `addRoles` does, and with FORBIDDEN where no moderator would remain. */
export function removeRoles(ctx: Ctx, change: RolesChange): Promise<CommunitiesAnswer> {
  return inTransaction(ctx, async (ctx) => {
    if (ctx.actor.kind === 'key') throw new DomainError('FORBIDDEN')
    await lockForRoles(ctx, change)
    const members = await lockTargets(ctx, change, rankWhere(ctx, change))
    if (change.roles.includes(MODERATOR) && members.some(isModerator)) {
      await refuseLastModerator(ctx, change.communityId, change.userIds)
    }
    return settle(ctx, change.communityId, members, (roles) => roles.filter((role) => !change.roles.includes(role)))
  })
}

/** An API key speaks for the community's own moderation, no higher: with the rank of its moderators (CONTRACT.md). */
function rankWhere(ctx: Ctx, { communityId }: RolesChange): Sql {
  return ctx.actor.kind === 'key' ? Prisma.sql`role_rank(array[${MODERATOR}])` : ownRank(ctx, { communityId })
}

function lockForRoles(ctx: Ctx, { communityId }: RolesChange) {
  if (ctx.actor.kind !== 'key') {
    const mayAct = mayInCommunity(ctx, 'assignRoles', Prisma.sql`k.community_id`)
    return lockCommunity(ctx, communityId, { mayAct, isAlone: true })
  }
  if (!ctx.actor.allows.has('roles')) throw new DomainError('FORBIDDEN')
  return lockCommunity(ctx, communityId, { isKnown: Prisma.sql`true`, mayAct: Prisma.sql`true`, isAlone: true })
}

export async function readAuthority(
  ctx: Ctx,
  { communityId }: { communityId: string },
  rank: Sql = ownRank(ctx, { communityId }),
): Promise<Authority> {
  if (ctx.actor.kind === 'admin') return ctx.actor
  const roles =
    ctx.actor.kind === 'user'
      ? Prisma.sql`(select own.roles from community_user own where own.community_id = ${communityId} and own.user_id = ${ctx.actor.userId})`
      : Prisma.sql`array[${MODERATOR}]`
  const held = await queryOne<{ rank: number; permissions: string[] }>(
    ctx,
    Prisma.sql`select ${rank} as rank, role_permissions(${roles}) as permissions`,
  )
  return { rank: held?.rank ?? 0, permissions: new Set(held?.permissions) }
}

/** Members all, and all of them below the caller. A key never touches whoever has an account at the desk. */
async function lockTargets(ctx: Ctx, { communityId, userIds }: RolesChange, rank: Sql): Promise<LockedMember[]> {
  const found = await lockMembers(ctx, { communityId, userIds, rank })
  if (found.some(({ membership }) => membership === 'banned')) throw new DomainError('BANNED')
  const members = found.filter(({ membership }) => membership === 'member')
  if (members.length < new Set(userIds).size) throw new DomainError('NOT_FOUND')
  if (members.some(({ isOutranked }) => !isOutranked)) throw new DomainError('FORBIDDEN')
  if (ctx.actor.kind === 'key' && (await hasStaffAmong(ctx, userIds))) throw new DomainError('FORBIDDEN')
  return members
}

/** Writes the roles of those for whom something changes, counts, logs and tells them; answers all that were asked for. */
async function settle(
  ctx: Ctx,
  communityId: string,
  members: LockedMember[],
  rolesAfter: (roles: string[]) => string[],
): Promise<CommunitiesAnswer> {
  const changes = members
    .map((before) => ({ before, after: { ...before, roles: rolesAfter(before.roles) } }))
    .filter(({ before, after }) => before.roles.length !== after.roles.length)
  const userIds = members.map(({ userId }) => userId)
  if (changes.length === 0) return answerCommunities(ctx, [communityId], userIds)

  const rows = changes.map(({ after }) => ({ user_id: after.userId, roles: after.roles }))
  await query(
    ctx,
    Prisma.sql`
    update community_user cu set roles = after.roles, updated_at = ${ctx.now()}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as after(user_id text, roles text[])
    where cu.community_id = ${communityId} and cu.user_id = after.user_id returning 1 as changed`,
  )
  const moderators = (of: LockedMember[]) => of.filter(isModerator).length
  await count(ctx, communityId, {
    community_moderators:
      moderators(changes.map(({ after }) => after)) - moderators(changes.map(({ before }) => before)),
  })
  await tellMembers(ctx, {
    communityId,
    action: 'community.rolesChanged',
    event: 'v3.community.didRoleChange',
    changed: changes.map(({ before, after }) => ({
      userId: before.userId,
      before: { roles: before.roles },
      after: { roles: after.roles },
    })),
  })
  return answerCommunities(ctx, [communityId], userIds)
}
