import type { Ctx } from '#server/core/ctx.ts'
import { setColumns } from '#server/core/database/write-columns.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { assertImage } from '#server/modules/media/files/assert-image.ts'
import { getChannel } from '#server/modules/spaces/channels/get-channel.ts'
import { lockChannel } from '#server/modules/spaces/channels/lock-channel.ts'
import { publishChannel } from '#server/modules/spaces/channels/publish-channel.ts'
import type { ChannelChange, ChannelEnvelope, ChannelParams } from '#server/modules/spaces/channels/schema.ts'

/**
 * Updates the given fields of a channel. Fails with NOT_FOUND for a channel that is deleted or that the caller may not see and for an
 * unknown avatar, FORBIDDEN without EDIT_CHANNEL.
 */
export function updateChannel(
  ctx: Ctx,
  { channelId, ...change }: ChannelParams & ChannelChange,
): Promise<ChannelEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    await lockChannel(ctx, channelId, 'edit')
    await assertImage(ctx, change.avatarFileId)
    const fields = Object.keys(change).sort()
    if (fields.length === 0) return getChannel(ctx, { channelId })

    const metadata = change.metadata && JSON.stringify(change.metadata)
    const columns = setColumns({ ...change, metadata, updatedAt: ctx.now() })
    await execute(ctx, sql`update channel set ${columns} where channel_id = ${channelId}`)
    return publishChannel(ctx, { channelId, act: 'updated', after: { fields } })
  })
}
