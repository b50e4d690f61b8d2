import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, Prisma, query, queryOne } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { assertMayGrant } from '#server/modules/accounts/roles/assert-may-grant.ts'
import { MODERATOR_OF } from '#server/modules/accounts/roles/moderator-of.ts'
import { ownAuthority } from '#server/modules/accounts/roles/own-authority.ts'
import { lockChannel } from '#server/modules/spaces/channels/lock-channel.ts'
import { assertMembers, idsOf, readTargets, type Target } from '#server/modules/spaces/channels/read-targets.ts'
import { type MemberChange, recordMemberChanges } from '#server/modules/spaces/channels/record-member-changes.ts'
import type { ChannelEnvelope, ChannelParams, ChannelUsersRole } from '#server/modules/spaces/channels/schema.ts'

/**
 * Gives members a role in the channel. Members who hold it already stay as they are, whatever their rank, so that a retry is harmless.
 * Fails with NOT_FOUND for an unknown channel, user or role, FORBIDDEN without the permission, for people of equal or higher rank, and for
 * a role of another scope, of a higher rank or with a permission that the caller doesn't have; NOT_CHANNEL_MEMBER for someone who isn't a
 * member. Then nobody gets it.
 */
export function addRole(ctx: Ctx, input: ChannelParams & ChannelUsersRole): Promise<ChannelEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    await lockChannel(ctx, input.channelId, 'assignRoles')
    await assertMayGrant(ctx, [input.role], 'channel', await ownAuthority(ctx, input))
    return changeRole(ctx, { ...input, act: 'roleAdded' })
  })
}

/**
 * Takes a role from members; those who do not hold it stay as they are. Moderators of a channel take that role from each other, but
 * never from an owner, and the last one stays: FORBIDDEN. Otherwise fails as `addRole` does, whatever the role grants.
 */
export function removeRole(ctx: Ctx, input: ChannelParams & ChannelUsersRole): Promise<ChannelEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    await lockChannel(ctx, input.channelId, 'assignRoles')
    return changeRole(ctx, { ...input, act: 'roleRemoved' })
  })
}

interface RoleChange extends ChannelUsersRole {
  channelId: string
  act: 'roleAdded' | 'roleRemoved'
}

async function changeRole(ctx: Ctx, { channelId, userIds, role, act }: RoleChange): Promise<ChannelEnvelope> {
  const targets = await readTargets(ctx, channelId, userIds)
  assertMembers(targets)
  const isAdded = act === 'roleAdded'
  const concerned = targets.filter(({ roles }) => roles.includes(role) !== isAdded)
  await assertMayChange(ctx, { channelId, role, concerned })

  const changed = await query<{ userId: string; before: string[]; after: string[] }>(
    ctx,
    Prisma.sql`
    update channel_user cu
    set roles = ${isAdded ? Prisma.sql`cu.roles || ${role}::text` : Prisma.sql`array_remove(cu.roles, ${role})`}, updated_at = ${ctx.now()}
    where cu.channel_id = ${channelId} and cu.user_id = any(${idsOf(concerned)}) and cu.membership = 'member'
      and (${role} = any(cu.roles)) = ${!isAdded}
    returning cu.user_id as "userId", old.roles as before, new.roles as after`,
  )
  const changes: MemberChange[] = changed.map(({ userId, before, after }) => ({
    userId,
    before: { roles: before },
    after: { roles: after },
  }))
  return recordMemberChanges(ctx, { channelId, act, userIds, changes })
}

interface ConcernedTargets {
  channelId: string
  role: string
  concerned: Target[]
}

async function assertMayChange(ctx: Ctx, { channelId, role, concerned }: ConcernedTargets): Promise<void> {
  if (concerned.every(({ isBelow }) => isBelow)) return
  const isModeration = role === MODERATOR_OF.channel
  if (!isModeration || !concerned.every(({ isBelow, isPeer }) => isBelow || isPeer)) throw new DomainError('FORBIDDEN')
  await ensureModeratorRemains(ctx, channelId, idsOf(concerned))
}

/** The channel is locked: of two moderators who take the role from each other at once, the second fails. Uses channel_user_roles. */
async function ensureModeratorRemains(ctx: Ctx, channelId: string, userIds: string[]): Promise<void> {
  const other = await queryOne(
    ctx,
    Prisma.sql`
    select 1 as stays from channel_user cu
    where cu.channel_id = ${channelId} and cu.roles @> array[${MODERATOR_OF.channel}] and cu.membership = 'member' and not cu.is_deleted
      and cu.user_id <> all(${userIds}) limit 1`,
  )
  if (other === undefined) throw new DomainError('FORBIDDEN')
}
