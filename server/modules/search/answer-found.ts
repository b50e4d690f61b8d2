import type { Ctx } from '#server/core/ctx.ts'
import { listOf, sql } from '#server/core/db.ts'
import { readRolesOf } from '#server/modules/accounts/roles/read-roles.ts'
import { buildMessagesEnvelope } from '#server/modules/content/messages/build-messages-envelope.ts'
import type { FoundMessages } from '#server/modules/search/schema.ts'
import { toChannelEnvelope } from '#server/modules/spaces/channels/channel-envelope.ts'
import { findChannels, NO_CHANNEL_USERS } from '#server/modules/spaces/channels/find-channels.ts'

type Answer = Pick<FoundMessages, 'messages' | 'messageFeeds' | 'channels' | 'users' | 'files' | 'roles'>

/** Found messages within the caller's scope, ordered by id, with their channels and everything that both reference. */
export async function answerFound(ctx: Ctx, messageIds: string[]): Promise<Answer> {
  const { users: authors, files, ...answer } = await buildMessagesEnvelope(ctx, messageIds)
  const space = await readChannels(ctx, [...new Set(answer.messages.map(({ channelId }) => channelId))])
  const users = distinct([...authors, ...space.users], ({ userId }) => userId)
  return {
    ...answer,
    channels: space.channels,
    users,
    files: distinct([...files, ...space.files], ({ fileId }) => fileId),
    roles: await readRolesOf(ctx, users),
  }
}

/** Uses channel_pkey. */
async function readChannels(ctx: Ctx, channelIds: string[]) {
  const found = await findChannels(ctx, {
    channels: {
      rows: sql`select * from channel c where c.channel_id = any(${listOf(channelIds)})`,
      orderBy: sql`array_position(${channelIds}, c.channel_id)`,
    },
    channelUsers: NO_CHANNEL_USERS,
  })
  return toChannelEnvelope(ctx, found)
}

function distinct<Item>(items: Item[], idOf: (item: Item) => string): Item[] {
  return [...new Map(items.map((item) => [idOf(item), item])).values()]
}
