import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { lockChannel } from '#server/modules/spaces/channels/lock-channel.ts'
import { publishChannel } from '#server/modules/spaces/channels/publish-channel.ts'
import type { ChannelParams } from '#server/modules/spaces/channels/schema.ts'

/**
 * Deletes a channel for everyone: it accepts nothing more, and is still returned by its id to those who could see it. Fails with NOT_FOUND
 * for one that is deleted or that the caller may not see, FORBIDDEN without CLOSE_CHANNEL.
 */
export function deleteChannel(ctx: Ctx, { channelId }: ChannelParams): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await lockChannel(ctx, channelId, 'delete')
    await execute(
      ctx,
      sql`update channel set is_deleted = true, updated_at = ${ctx.now()} where channel_id = ${channelId}`,
    )
    await publishChannel(ctx, { channelId, act: 'deleted', before: { isDeleted: false }, after: { isDeleted: true } })
  })
}
