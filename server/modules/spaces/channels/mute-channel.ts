import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, queryOne, sql } from '#server/core/db.ts'
import { lockChannel } from '#server/modules/spaces/channels/lock-channel.ts'
import { publishChannel } from '#server/modules/spaces/channels/publish-channel.ts'
import type { ChannelParams, MuteChannel } from '#server/modules/spaces/channels/schema.ts'

/**
 * Mutes a whole channel for a time from now on, or ends that with 0: until then only those who may mute people there can write. Fails with
 * NOT_FOUND for a channel that is deleted or that the caller may not see, FORBIDDEN without MUTE_CHANNEL.
 */
export function muteChannel(ctx: Ctx, { channelId, mutePeriod }: ChannelParams & MuteChannel): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await lockChannel(ctx, channelId, 'mute')
    const timeout = mutePeriod === 0 ? null : new Date(ctx.now().getTime() + mutePeriod)
    const changed = await setMute(ctx, channelId, timeout)
    if (changed === undefined) return
    await publishChannel(ctx, {
      channelId,
      act: timeout === null ? 'unmuted' : 'muted',
      before: { muteTimeout: changed.before },
      after: { muteTimeout: timeout },
    })
  })
}

/** Ending an expired mute changes nothing. */
function setMute(ctx: Ctx, channelId: string, timeout: Date | null): Promise<{ before: Date | null } | undefined> {
  const isThere = timeout === null ? sql`and mute_timeout > ${ctx.now()}` : sql.empty
  return queryOne(
    ctx,
    sql`
    update channel c set mute_timeout = ${timeout}, updated_at = ${ctx.now()}
    from (select channel_id, mute_timeout from channel where channel_id = ${channelId} ${isThere} for update) before
    where c.channel_id = before.channel_id
    returning before.mute_timeout as before`,
  )
}
