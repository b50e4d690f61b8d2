import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, Prisma, query, queryOne } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { hasStaffAmong } from '#server/modules/accounts/access/has-staff-among.ts'
import { type Authority, assertMayGrant } from '#server/modules/accounts/roles/assert-may-grant.ts'
import { issuerRank } from '#server/modules/accounts/roles/issuer.ts'
import { ownAuthority } from '#server/modules/accounts/roles/own-authority.ts'
import { buildCommunitiesEnvelope } from '#server/modules/spaces/communities/build-communities-envelope.ts'
import { ensureModeratorRemains } from '#server/modules/spaces/communities/ensure-moderator-remains.ts'
import { lockCommunity } from '#server/modules/spaces/communities/lock-community.ts'
import { type LockedMember, lockMembers } from '#server/modules/spaces/communities/lock-members.ts'
import { publishMembers } from '#server/modules/spaces/communities/publish-members.ts'
import type { CommunitiesAnswer } from '#server/modules/spaces/communities/schema.ts'
import { count, isModerator, MODERATOR } from '#server/modules/spaces/communities/set-membership.ts'

export interface RolesChange {
  communityId: string
  roles: string[]
  userIds: string[]
}

/**
 * Gives community roles to all members or none (docs/interface/community-members-and-roles.md), for a bearer token or an API key with
 * `roles`. Members who hold the roles already stay as they are, whatever their rank, so that a retry is harmless. Fails with NOT_FOUND for
 * an unknown role, community or member, BANNED where one is banned there, FORBIDDEN for a role that is not a community's or goes beyond the
 * caller's, and for users not of lower rank.
 */
export function addRoles(ctx: Ctx, change: RolesChange): Promise<CommunitiesAnswer> {
  return inTransaction(ctx, async (ctx) => {
    await lockForRoles(ctx, change)
    const authority = await readAuthority(ctx, change)
    await assertMayGrant(ctx, change.roles, 'community', authority)
    const members = await lockTargets(ctx, change, authority)
    return applyRoles(ctx, change, members, (roles) => [...new Set([...roles, ...change.roles])])
  })
}

/** Takes roles from members, all of them or none. Fails as `addRoles` does, and with FORBIDDEN where no moderator would remain. */
export function removeRoles(ctx: Ctx, change: RolesChange): Promise<CommunitiesAnswer> {
  return inTransaction(ctx, async (ctx) => {
    if (ctx.actor.kind === 'key') throw new DomainError('FORBIDDEN')
    await lockForRoles(ctx, change)
    const members = await lockTargets(ctx, change, await readAuthority(ctx, change))
    if (change.roles.includes(MODERATOR) && members.some(isModerator)) {
      await ensureModeratorRemains(ctx, change.communityId, change.userIds)
    }
    return applyRoles(ctx, change, members, (roles) => roles.filter((role) => !change.roles.includes(role)))
  })
}

function lockForRoles(ctx: Ctx, { communityId }: RolesChange) {
  if (ctx.actor.kind !== 'key') {
    const mayAct = mayInCommunity(ctx, 'assignRoles', Prisma.sql`k.community_id`)
    return lockCommunity(ctx, communityId, { mayAct, isAlone: true })
  }
  if (!ctx.actor.allows.has('roles')) throw new DomainError('FORBIDDEN')
  return lockCommunity(ctx, communityId, { isKnown: Prisma.sql`true`, mayAct: Prisma.sql`true`, isAlone: true })
}

function readAuthority(ctx: Ctx, { communityId }: RolesChange): Promise<Authority> {
  return ctx.actor.kind === 'key' ? keyAuthority(ctx, ctx.actor.keyId) : ownAuthority(ctx, { communityId })
}

/**
 * An API key acts as the community's own moderators, no higher: with their rank and permissions (docs/interface/permissions.md), limited to
 * what the issuer of the key has now. A key made on the command line has no issuer.
 */
async function keyAuthority(ctx: Ctx, keyId: string): Promise<Authority> {
  const held = await queryOne<{ rank: number; permissions: string[] }>(
    ctx,
    Prisma.sql`
    select least(role_rank(array[${MODERATOR}]), ${issuerRank(Prisma.sql`k.created_by`)}) as rank,
      case when k.created_by is null then role_permissions(array[${MODERATOR}])
        else array(select unnest(role_permissions(array[${MODERATOR}])) intersect select unnest(network_role_permissions(i.roles)))
      end as permissions
    from api_key k left join network_user i on i.user_id = k.created_by where k.key_id = ${keyId}`,
  )
  return { rank: held?.rank ?? 0, permissions: new Set(held?.permissions) }
}

/** Requires that all are members. A key never affects anyone with a staff account, even where nothing would change. */
async function lockTargets(
  ctx: Ctx,
  { communityId, userIds }: RolesChange,
  { rank }: Authority,
): Promise<LockedMember[]> {
  const found = await lockMembers(ctx, { communityId, userIds, rank: Prisma.sql`${rank}::int` })
  if (found.some(({ membership }) => membership === 'banned')) throw new DomainError('BANNED')
  const members = found.filter(({ membership }) => membership === 'member')
  if (members.length < new Set(userIds).size) throw new DomainError('NOT_FOUND')
  if (ctx.actor.kind === 'key' && (await hasStaffAmong(ctx, userIds))) throw new DomainError('FORBIDDEN')
  return members
}

/**
 * Rejects changes to anyone whom the caller may not change: people must be of lower rank or, where only the moderator role changes, peers.
 * A key may also give roles to people of its own rank: other moderators.
 */
function assertRank(ctx: Ctx, { roles }: RolesChange, changed: LockedMember[]): void {
  const isModeration = roles.every((role) => role === MODERATOR)
  const isKey = ctx.actor.kind === 'key'
  const mayChange = ({ isOutranked, isPeer, isLevel }: LockedMember) =>
    isOutranked || (isModeration && isPeer) || (isKey && isLevel)
  if (!changed.every(mayChange)) throw new DomainError('FORBIDDEN')
}

/** Writes the roles where they change and may change; counts, logs and publishes these; returns all requested members. */
async function applyRoles(
  ctx: Ctx,
  change: RolesChange,
  members: LockedMember[],
  rolesAfter: (roles: string[]) => string[],
): Promise<CommunitiesAnswer> {
  const { communityId } = change
  const changes = members
    .map((before) => ({ before, after: { ...before, roles: rolesAfter(before.roles) } }))
    .filter(({ before, after }) => before.roles.length !== after.roles.length)
  const userIds = members.map(({ userId }) => userId)
  if (changes.length === 0) return buildCommunitiesEnvelope(ctx, [communityId], userIds)
  assertRank(
    ctx,
    change,
    changes.map(({ before }) => before),
  )

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
  await publishMembers(ctx, {
    communityId,
    action: 'community.rolesChanged',
    event: 'v3.community.didRoleChange',
    changed: changes.map(({ before, after }) => ({
      userId: before.userId,
      before: { roles: before.roles },
      after: { roles: after.roles },
    })),
  })
  return buildCommunitiesEnvelope(ctx, [communityId], userIds)
}
