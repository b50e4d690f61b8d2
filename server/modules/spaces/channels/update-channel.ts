import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction } from '#server/core/db.ts'
import { jsonColumn } from '#server/core/json-column.ts'
import { requireImage } from '#server/modules/media/files/require-image.ts'
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
  { channelId, metadata, ...change }: ChannelParams & ChannelChange,
): Promise<ChannelEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    await lockChannel(ctx, channelId, 'edit')
    await requireImage(ctx, change.avatarFileId)
    const changed = { ...change, ...(metadata !== undefined && { metadata: jsonColumn(metadata) }) }
    const fields = Object.keys(changed).sort()
    if (fields.length === 0) return getChannel(ctx, { channelId })

    await ctx.db.channel.update({ where: { channelId }, data: { ...changed, updatedAt: ctx.now() } })
    return publishChannel(ctx, { channelId, act: 'updated', after: { fields } })
  })
}
