import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { inTransaction, Prisma, query } from '#server/core/db.ts'
import { lockChannel } from '#server/modules/spaces/channels/lock-channel.ts'
import { assertOutranks, idsOf, readTargets } from '#server/modules/spaces/channels/read-targets.ts'
import { recordMemberChanges } from '#server/modules/spaces/channels/record-member-changes.ts'
import type { ChannelEnvelope, ChannelParams, ChannelUserIds } from '#server/modules/spaces/channels/schema.ts'

/**
 * Lifts bans: those people are not members then and may join again (docs/interface/channel-members.md#unban). People who aren't banned stay
 * as they are. Fails as `banUsers` does, with FORBIDDEN for people of equal or higher rank.
 */
export function unbanUsers(ctx: Ctx, { channelId, userIds }: ChannelParams & ChannelUserIds): Promise<ChannelEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    await lockChannel(ctx, channelId, 'banMembers')
    const targets = await readTargets(ctx, channelId, userIds)
    assertOutranks(targets, 'FORBIDDEN')

    return releaseUsers(ctx, channelId, idsOf(targets))
  })
}

/** Lifts the bans of those who are banned, in a locked channel. */
export async function releaseUsers(ctx: Ctx, channelId: string, userIds: string[]): Promise<ChannelEnvelope> {
  const unbanned = await query<{ userId: string }>(
    ctx,
    Prisma.sql`
    update channel_user cu set membership = 'none', updated_at = ${ctx.now()}
    where cu.channel_id = ${channelId} and cu.user_id = any(${userIds}) and cu.membership = 'banned'
    returning cu.user_id as "userId"`,
  )
  await liftBans(ctx, channelId, idsOf(unbanned))
  return recordMemberChanges(ctx, {
    channelId,
    act: 'unbanned',
    userIds,
    changes: unbanned.map(({ userId }) => ({
      userId,
      before: { membership: 'banned' },
      after: { membership: 'none' },
    })),
  })
}

/** Closes the records of bans in force; an imported ban may have none. Uses ban_in_force. */
export async function liftBans(ctx: Ctx, channelId: string, userIds: string[]): Promise<void> {
  if (userIds.length === 0) return
  await query(
    ctx,
    Prisma.sql`
    update ban set lifted_at = ${ctx.now()}, lifted_by = ${actingUserId(ctx) ?? actorName(ctx)}
    where scope = 'channel' and coalesce(community_id, channel_id, '') = ${channelId} and user_id = any(${userIds}) and lifted_at is null
    returning 1 as lifted`,
  )
}
