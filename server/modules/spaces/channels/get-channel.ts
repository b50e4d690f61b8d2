import type { Ctx } from '#server/core/ctx.ts'
import { listOf, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { toChannelEnvelope } from '#server/modules/spaces/channels/channel-envelope.ts'
import { mayKnowChannel } from '#server/modules/spaces/channels/channel-scope.ts'
import { findChannels, ownChannelUsers } from '#server/modules/spaces/channels/find-channels.ts'
import type { ChannelEnvelope } from '#server/modules/spaces/channels/schema.ts'

/**
 * docs/interface/channels.md#get-a-channel: one channel, with the caller among its users. A deleted one is still returned to those who
 * could see it. Fails with NOT_FOUND for one the caller may not see.
 */
export async function getChannel(ctx: Ctx, { channelId }: { channelId: string }): Promise<ChannelEnvelope> {
  const answer = await getChannels(ctx, { channelIds: [channelId] })
  if (answer.channels.length > 0) return answer
  throw new DomainError('NOT_FOUND')
}

/** Several channels by their ids, without those the caller may not see. Uses channel_pkey. */
export async function getChannels(ctx: Ctx, { channelIds }: { channelIds: string[] }): Promise<ChannelEnvelope> {
  const found = await findChannels(ctx, {
    channels: {
      rows: sql`
        select * from channel c
        where c.channel_id = any(${listOf(channelIds)}) and ${mayKnowChannel(ctx)}`,
      orderBy: sql`c.channel_id`,
    },
    channelUsers: ownChannelUsers(ctx),
  })
  return toChannelEnvelope(ctx, found)
}
