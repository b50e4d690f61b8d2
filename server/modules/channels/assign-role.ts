import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { inTransaction, Prisma, query, queryOne } from '#server/core/db.ts'
import { ownRank } from '#server/core/permissions.ts'
import { lockChannel } from '#server/modules/channels/lock-channel.ts'
import { idsOf, readTargets, refuseOutsiders, refuseRank } from '#server/modules/channels/read-targets.ts'
import type { ChannelEnvelope, ChannelParams, ChannelUsersRole } from '#server/modules/channels/schema.ts'
import { type MemberChange, settleMembers } from '#server/modules/channels/settle-members.ts'
import { type Authority, refuseRolesAbove } from '#server/modules/roles/refuse-roles-above.ts'

/**
 * Gives members a role in the channel. Fails with NOT_FOUND for an unknown channel, user or role, FORBIDDEN without the
 * permission, for people of equal or higher rank, and for a role of another scope, of a higher rank or with a permission that
 * the caller doesn't have; NOT_CHANNEL_MEMBER for someone outside. Then nobody gets it.
 */
export function addRole(ctx: Ctx, input: ChannelParams & ChannelUsersRole): Promise<ChannelEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    await lockChannel(ctx, input.channelId, 'assignRoles')
    await refuseRolesAbove(ctx, [input.role], 'channel', await ownAuthority(ctx, input.channelId))
    return changeRole(ctx, { ...input, act: 'roleAdded' })
  })
}

/** Takes a role from members; one that nobody holds is not there to take. Fails as `addRole` does, whatever the role grants. */
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
  refuseRank(targets, 'FORBIDDEN')
  refuseOutsiders(targets)

  const isAdded = act === 'roleAdded'
  const changed = await query<{ userId: string; before: string[]; after: string[] }>(
    ctx,
    Prisma.sql`
    update channel_user cu
    set roles = ${isAdded ? Prisma.sql`cu.roles || ${role}::text` : Prisma.sql`array_remove(cu.roles, ${role})`}, updated_at = ${ctx.now()}
    where cu.channel_id = ${channelId} and cu.user_id = any(${idsOf(targets)}) and cu.membership = 'member'
      and (${role} = any(cu.roles)) = ${!isAdded}
    returning cu.user_id as "userId", old.roles as before, new.roles as after`,
  )
  const changes: MemberChange[] = changed.map(({ userId, before, after }) => ({
    userId,
    before: { roles: before },
    after: { roles: after },
  }))
  return settleMembers(ctx, { channelId, act, userIds, changes })
}

/** With what the caller acts in the channel: their role there, or in admin context that of the network. */
export async function ownAuthority(ctx: Ctx, channelId: string): Promise<Authority> {
  if (ctx.actor.kind === 'admin') return ctx.actor
  const own = await queryOne<{ rank: number; permissions: string[] }>(
    ctx,
    Prisma.sql`
    select ${ownRank(ctx, { channelId })} as rank, role_permissions(own.roles) as permissions
    from channel_user own
    where own.channel_id = ${channelId} and own.user_id = ${actingUserId(ctx) ?? null} and own.membership = 'member'`,
  )
  return { rank: own?.rank ?? 0, permissions: new Set(own?.permissions) }
}
