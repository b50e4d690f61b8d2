import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { inTransaction, Prisma, query, queryOne } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mayKnowChannel } from '#server/modules/spaces/channels/channel-scope.ts'
import { recordMemberChanges } from '#server/modules/spaces/channels/record-member-changes.ts'
import type { ChannelEnvelope, ChannelParams } from '#server/modules/spaces/channels/schema.ts'

/**
 * Ends the caller's membership and their roles in the channel; a mute stays, so that rejoining doesn't end it. Without a membership nothing
 * changes. Fails with NOT_FOUND as `joinChannel` does, and FORBIDDEN in a conversation.
 */
export function leaveChannel(ctx: Ctx, { channelId }: ChannelParams): Promise<ChannelEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    const channel = await queryOne<{ type: string }>(
      ctx,
      Prisma.sql`
      select c.type from channel c where c.channel_id = ${channelId} and not c.is_deleted and ${mayKnowChannel(ctx)}`,
    )
    if (channel === undefined) throw new DomainError('NOT_FOUND')
    const userId = actingUserId(ctx)
    if (userId === undefined || channel.type === 'conversation') throw new DomainError('FORBIDDEN')

    const left = await query<{ roles: string[] }>(
      ctx,
      Prisma.sql`
      update channel_user cu set membership = 'none', roles = '{}', updated_at = ${ctx.now()}
      where cu.channel_id = ${channelId} and cu.user_id = ${userId} and cu.membership = 'member' and not cu.is_deleted
      returning old.roles`,
    )
    return recordMemberChanges(ctx, {
      channelId,
      act: 'left',
      userIds: [userId],
      changes: left.map(({ roles }) => ({
        userId,
        before: { membership: 'member', roles },
        after: { membership: 'none', roles: [] },
      })),
      membersDelta: -left.length,
    })
  })
}
