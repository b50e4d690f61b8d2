import type { Ctx } from '#server/core/ctx.ts'
import { listOf, sql } from '#server/core/db.ts'
import { avatarsOf } from '#server/modules/accounts/users/read-users.ts'
import { referencedUsers } from '#server/modules/accounts/users/referenced-users.ts'
import { type FoundChannels, findChannels } from '#server/modules/spaces/channels/find-channels.ts'
import type { ChannelEnvelope } from '#server/modules/spaces/channels/schema.ts'
import {
  toChannelUserView,
  toChannelView,
  toMessageFeedInfoView,
  toMessagePreviewView,
} from '#server/modules/spaces/channels/view.ts'

/**
 * docs/interface/channels.md#channel-envelope: these channels, these of their users, and what both refer to. All was read within the
 * caller's scope, possibly with more.
 */
export function toChannelEnvelope(ctx: Ctx, found: FoundChannels): ChannelEnvelope {
  const now = ctx.now()
  const readable = found.channels.filter(({ isReadable }) => isReadable)
  const messages = new Map(found.messages.map((message) => [message.messageId, message]))
  const shown = readable.flatMap(({ messagePreviewId, pinnedMessageId }) =>
    [messagePreviewId, pinnedMessageId].flatMap((messageId) => (messageId && messages.get(messageId)) || []),
  )
  const previews = readable.flatMap(
    ({ messagePreviewId }) => (messagePreviewId && messages.get(messagePreviewId)) || [],
  )
  const users = referencedUsers(found.users, [...found.channelUsers, ...shown, ...readable])
  const fileIds = new Set([
    ...found.channels.map(({ avatarFileId }) => avatarFileId),
    ...previews.map(({ isDeleted, fileId }) => (isDeleted ? null : fileId)),
    ...avatarsOf(users),
  ])
  return {
    channels: found.channels.map((channel) =>
      toChannelView(ctx, channel, {
        isReadable: channel.isReadable,
        pinned: channel.pinnedMessageId === null ? undefined : messages.get(channel.pinnedMessageId),
        now,
      }),
    ),
    channelUsers: found.channelUsers.map((channelUser) => toChannelUserView(channelUser, now)),
    messagePreviews: previews.map(toMessagePreviewView),
    messageFeedsInfo: [...new Map(previews.map((preview) => [preview.messageFeedId, preview])).values()].map(
      toMessageFeedInfoView,
    ),
    users,
    files: found.files.filter(({ fileId }) => fileIds.has(fileId)),
  }
}

/** A channel that the caller has acted in, so their access was checked: this reads by id alone. Uses channel_user_pkey. */
export async function readChannelEnvelope(ctx: Ctx, channelId: string, userIds: string[]): Promise<ChannelEnvelope> {
  const found = await findChannels(ctx, {
    channels: { rows: sql`select * from channel where channel_id = ${channelId}`, orderBy: sql`c.channel_id` },
    channelUsers: {
      rows: sql`select * from channel_user where channel_id = ${channelId} and user_id = any(${listOf(userIds)})`,
      orderBy: sql`cu.channel_id, cu.user_id`,
    },
  })
  return toChannelEnvelope(ctx, found)
}
