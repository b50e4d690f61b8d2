import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, Prisma, query } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { lockChannel } from '#server/modules/spaces/channels/lock-channel.ts'
import { assertOutranks, idsOf, readTargets } from '#server/modules/spaces/channels/read-targets.ts'
import { recordMemberChanges } from '#server/modules/spaces/channels/record-member-changes.ts'
import type { ChannelEnvelope, ChannelParams, ChannelUserIds } from '#server/modules/spaces/channels/schema.ts'
import { liftBans } from '#server/modules/spaces/channels/unban-users.ts'

/**
 * Ends memberships with their roles, and bans (docs/interface/channel-members.md#remove-members). People who aren't members stay so. Fails
 * with NOT_FOUND for an unknown channel or user, FORBIDDEN without the permission, in a conversation, and for people of equal or higher
 * rank; then nobody is removed.
 */
export function removeUsers(
  ctx: Ctx,
  { channelId, userIds }: ChannelParams & ChannelUserIds,
): Promise<ChannelEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    const { type } = await lockChannel(ctx, channelId, 'removeMembers')
    if (type === 'conversation') throw new DomainError('FORBIDDEN')
    const targets = await readTargets(ctx, channelId, userIds)
    assertOutranks(targets, 'FORBIDDEN')

    const removed = await removeMembers(ctx, channelId, idsOf(targets))
    await liftBans(ctx, channelId, idsOf(removed))
    return recordMemberChanges(ctx, {
      channelId,
      act: 'removed',
      userIds,
      changes: removed.map(({ userId, membership, roles }) => ({
        userId,
        before: { membership, roles },
        after: { membership: 'none', roles: [] },
      })),
      membersDelta: -removed.filter(({ wasCounted }) => wasCounted).length,
    })
  })
}

interface Removed {
  userId: string
  membership: 'member' | 'banned'
  roles: string[]
  wasCounted: boolean
}

function removeMembers(ctx: Ctx, channelId: string, userIds: string[]): Promise<Removed[]> {
  return query<Removed>(
    ctx,
    Prisma.sql`
    update channel_user cu set membership = 'none', roles = '{}', updated_at = ${ctx.now()}
    where cu.channel_id = ${channelId} and cu.user_id = any(${userIds}) and cu.membership <> 'none'
    returning cu.user_id as "userId", old.membership, old.roles,
      (old.membership = 'member' and not old.is_deleted) as "wasCounted"`,
  )
}
