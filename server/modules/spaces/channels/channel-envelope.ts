import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { avatarsOf } from '#server/modules/accounts/users/read-users.ts'
import { readReferencedUsers } from '#server/modules/accounts/users/referenced-users.ts'
import { readFiles } from '#server/modules/media/files/read-files.ts'
import { mayReadChannel } from '#server/modules/spaces/channels/channel-scope.ts'
import type { ChannelEnvelope } from '#server/modules/spaces/channels/schema.ts'
import {
  CHANNEL_COLUMNS,
  CHANNEL_USER_COLUMNS,
  type ChannelRow,
  type ChannelUserRow,
  PREVIEW_COLUMNS,
  type PreviewRow,
  toChannelUserView,
  toChannelView,
  toMessageFeedInfoView,
  toMessagePreviewView,
} from '#server/modules/spaces/channels/view.ts'

export type SeenChannel = ChannelRow & { isReadable: boolean }

/** What a statement selects from `channel c` for the envelope: the row, and whether the caller may read its messages. */
export function seenChannel(ctx: Ctx): Sql {
  return sql`${CHANNEL_COLUMNS}, ${mayReadChannel(ctx)} as is_readable`
}

/**
 * docs/interface/channels.md#channel-envelope: these channels, these of their users, and what both refer to. The channels were read within
 * the caller's scope; this reads nothing that the caller may not see.
 */
export async function toChannelEnvelope(
  ctx: Ctx,
  { channels, channelUsers }: { channels: SeenChannel[]; channelUsers: ChannelUserRow[] },
): Promise<ChannelEnvelope> {
  const messages = await readShownMessages(ctx, channels)
  const previews = channels.flatMap((channel) => messages.get(channel.messagePreviewId) ?? [])

  const readable = channels.filter(({ isReadable }) => isReadable)
  const users = await readReferencedUsers(ctx, [...channelUsers, ...messages.values(), ...readable])
  const files = await readFiles(ctx, [
    ...channels.flatMap((channel) => channel.avatarFileId ?? []),
    ...previews.flatMap((preview) => (preview.isDeleted ? [] : (preview.fileId ?? []))),
    ...avatarsOf(users),
  ])
  return buildChannelEnvelope(ctx, { channels, channelUsers, messages, users, files })
}

interface EnvelopeParts extends Pick<ChannelEnvelope, 'users' | 'files'> {
  channels: SeenChannel[]
  channelUsers: ChannelUserRow[]
  /** The last and the pinned messages, by their ids. */
  messages: Map<string | null, PreviewRow>
}

/** The envelope of rows that are all at hand. */
export function buildChannelEnvelope(
  ctx: Ctx,
  { channels, channelUsers, messages, users, files }: EnvelopeParts,
): ChannelEnvelope {
  const now = ctx.now()
  const previews = channels.flatMap((channel) => messages.get(channel.messagePreviewId) ?? [])
  return {
    channels: channels.map((channel) =>
      toChannelView(ctx, channel, {
        isReadable: channel.isReadable,
        pinned: messages.get(channel.pinnedMessageId),
        now,
      }),
    ),
    channelUsers: channelUsers.map((channelUser) => toChannelUserView(channelUser, now)),
    messagePreviews: previews.map(toMessagePreviewView),
    messageFeedsInfo: [...new Map(previews.map((preview) => [preview.messageFeedId, preview])).values()].map(
      toMessageFeedInfoView,
    ),
    users,
    files,
  }
}

/** A channel that the caller has acted in, so their access was checked: this reads by id alone. */
export async function answerChannel(ctx: Ctx, channelId: string, userIds: string[]): Promise<ChannelEnvelope> {
  const channels = await query<SeenChannel>(
    ctx,
    sql`select ${seenChannel(ctx)} from channel c where c.channel_id = ${channelId}`,
  )
  return toChannelEnvelope(ctx, { channels, channelUsers: await readChannelUsersById(ctx, channelId, userIds) })
}

/** The caller, and in conversations all members (docs/interface/channels.md#channel-envelope). Uses channel_user_pkey twice. */
export async function readOwnChannelUsers(ctx: Ctx, channels: ChannelRow[]): Promise<ChannelUserRow[]> {
  const userId = actingUserId(ctx)
  const conversations = channels.filter(({ type }) => type === 'conversation').map(({ channelId }) => channelId)
  if (channels.length === 0 || (userId === undefined && conversations.length === 0)) return []
  return readChannelUsers(
    ctx,
    sql`
    (cu.channel_id = any(${channels.map(({ channelId }) => channelId)}) and cu.user_id = ${userId ?? null})
      or (cu.channel_id = any(${conversations}) and cu.membership = 'member' and not cu.is_deleted)`,
  )
}

/** The rows of these users in one channel, as far as they exist. Uses channel_user_pkey. */
async function readChannelUsersById(ctx: Ctx, channelId: string, userIds: string[]): Promise<ChannelUserRow[]> {
  return readChannelUsers(ctx, sql`cu.channel_id = ${channelId} and cu.user_id = any(${userIds})`)
}

function readChannelUsers(ctx: Ctx, where: Sql): Promise<ChannelUserRow[]> {
  return query<ChannelUserRow>(
    ctx,
    sql`
    select ${CHANNEL_USER_COLUMNS}
    from channel_user cu join channel c on c.channel_id = cu.channel_id join network_user u on u.user_id = cu.user_id
    where ${where} order by cu.channel_id, cu.user_id`,
  )
}

/** The last and the pinned messages of channels the caller may read, by their ids. Uses message_pkey. */
async function readShownMessages(ctx: Ctx, channels: SeenChannel[]): Promise<Map<string | null, PreviewRow>> {
  const readable = channels.filter(
    (channel) => channel.isReadable && (channel.messagePreviewId ?? channel.pinnedMessageId),
  )
  if (readable.length === 0) return new Map()
  const rows = await query<PreviewRow>(
    ctx,
    sql`
    select ${PREVIEW_COLUMNS}
    from channel c
    join message m on m.message_id = any(array[c.message_preview_id, c.pinned_message_id]) and m.channel_id = c.channel_id
    left join message_feed f on f.message_feed_id = coalesce(m.message_feed_id, c.internal_id)
    where c.channel_id = any(${readable.map(({ channelId }) => channelId)})`,
  )
  return new Map(rows.map((row) => [row.messageId, row]))
}
