import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, Prisma, query } from '#server/core/db.ts'
import { lockChannel } from '#server/modules/channels/lock-channel.ts'
import { idsOf, readTargets, refuseOutsiders, refuseRank } from '#server/modules/channels/read-targets.ts'
import type { ChannelParams, MuteUsers } from '#server/modules/channels/schema.ts'
import { settleMembers } from '#server/modules/channels/settle-members.ts'

/**
 * Mutes members for a time from now on, or with 0 ends their mutes. Fails with NOT_FOUND for an unknown channel or user,
 * FORBIDDEN without the permission and for people of equal or higher rank, NOT_CHANNEL_MEMBER for someone outside; then nobody
 * is muted.
 */
export function muteUsers(ctx: Ctx, { channelId, userIds, mutePeriod }: ChannelParams & MuteUsers): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await lockChannel(ctx, channelId, 'muteMembers')
    const targets = await readTargets(ctx, channelId, userIds)
    refuseRank(targets, 'FORBIDDEN')
    refuseOutsiders(targets)

    const timeout = mutePeriod === 0 ? null : new Date(ctx.now().getTime() + mutePeriod)
    const changed = await setMute(ctx, { channelId, userIds: idsOf(targets), timeout })
    await settleMembers(ctx, {
      channelId,
      act: timeout === null ? 'unmuted' : 'muted',
      userIds,
      changes: changed.map(({ userId, before }) => ({
        userId,
        before: { muteTimeout: before },
        after: { muteTimeout: timeout },
      })),
    })
  })
}

interface Mute {
  channelId: string
  userIds: string[]
  timeout: Date | null
}

/** A mute that is over is not there to end. */
function setMute(ctx: Ctx, { channelId, userIds, timeout }: Mute): Promise<{ userId: string; before: Date | null }[]> {
  const isThere = timeout === null ? Prisma.sql`and cu.mute_timeout > ${ctx.now()}` : Prisma.empty
  return query(
    ctx,
    Prisma.sql`
    update channel_user cu set mute_timeout = ${timeout}, updated_at = ${ctx.now()}
    where cu.channel_id = ${channelId} and cu.user_id = any(${userIds}) and cu.membership = 'member' ${isThere}
    returning cu.user_id as "userId", old.mute_timeout as before`,
  )
}
