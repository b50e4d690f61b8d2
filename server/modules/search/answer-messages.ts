import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { Prisma, query } from '#server/core/db.ts'
import { type SeenChannel, seenChannel, toChannelEnvelope } from '#server/modules/channels/channel-envelope.ts'
import { readFiles } from '#server/modules/files/read-files.ts'
import type { MessageFeed } from '#server/modules/messages/schema.ts'
import {
  MESSAGE_COLUMNS,
  MESSAGE_FEED_COLUMNS,
  type MessageFeedRow,
  type MessageRow,
  toMessageFeedView,
  toMessageView,
} from '#server/modules/messages/view.ts'
import { readRolesOf } from '#server/modules/roles/read-roles.ts'
import type { FoundMessages } from '#server/modules/search/schema.ts'
import { avatarsOf, readUsers } from '#server/modules/users/read-users.ts'

type Answer = Pick<FoundMessages, 'messages' | 'messageFeeds' | 'channels' | 'users' | 'files' | 'roles'>

/** Messages that were found within the caller's scope, in the order of their ids, with what they refer to. Uses message_pkey. */
export async function answerMessages(ctx: Ctx, messageIds: string[]): Promise<Answer> {
  if (messageIds.length === 0) return { messages: [], messageFeeds: [], channels: [], users: [], files: [], roles: [] }
  const rows = await query<MessageRow>(
    ctx,
    Prisma.sql`
    select ${MESSAGE_COLUMNS} from message m
    where m.message_id = any(${messageIds}) order by array_position(${messageIds}, m.message_id)`,
  )
  const [place, messageFeeds, authors, myReactions] = await Promise.all([
    readChannels(ctx, rows),
    readFeeds(ctx, rows),
    readUsers(ctx, [...new Set(rows.map(({ userId }) => userId))]),
    readMyReactions(ctx, rows),
  ])
  const users = distinct([...authors, ...place.users], ({ userId }) => userId)
  const [files, roles] = await Promise.all([
    readFiles(ctx, [...new Set([...rows.flatMap(({ fileId }) => fileId ?? []), ...avatarsOf(users)])]),
    readRolesOf(ctx, users),
  ])
  return {
    messages: rows.map((row) => toMessageView(row, { myReactions: myReactions.get(row.messageId) ?? [] })),
    messageFeeds,
    channels: place.channels,
    users,
    files: distinct([...files, ...place.files], ({ fileId }) => fileId),
    roles,
  }
}

/** Uses channel_pkey. */
async function readChannels(ctx: Ctx, rows: MessageRow[]) {
  const channelIds = [...new Set(rows.map(({ channelId }) => channelId))]
  const channels = await query<SeenChannel>(
    ctx,
    Prisma.sql`
    select ${seenChannel(ctx)} from channel c
    where c.channel_id = any(${channelIds}) order by array_position(${channelIds}, c.channel_id)`,
  )
  return toChannelEnvelope(ctx, { channels, channelUsers: [] })
}

/** The feeds that these messages are in, as far as they exist; without one it is the channel's main feed. */
async function readFeeds(ctx: Ctx, rows: MessageRow[]): Promise<MessageFeed[]> {
  const feeds = await query<MessageFeedRow>(
    ctx,
    Prisma.sql`
    select ${MESSAGE_FEED_COLUMNS}
    from (select distinct * from unnest(${rows.map(({ channelId }) => channelId)}::text[], ${rows.map(({ messageFeedId }) => messageFeedId)}::text[])
      as wrote(channel_id, message_feed_id)) as wrote
    join channel c on c.channel_id = wrote.channel_id
    left join message_feed f on f.message_feed_id = coalesce(wrote.message_feed_id, c.internal_id) and f.channel_id = c.channel_id
    where f.message_feed_id is not null or coalesce(wrote.message_feed_id, c.internal_id) = c.internal_id
    order by "messageFeedId"`,
  )
  return distinct(feeds.map(toMessageFeedView), ({ messageFeedId }) => messageFeedId)
}

/** The caller's own reactions, by message; asked only where there is a caller and anything to find. Uses reaction_pkey. */
async function readMyReactions(ctx: Ctx, rows: MessageRow[]): Promise<Map<string, string[]>> {
  const userId = actingUserId(ctx)
  const reactedTo = rows.filter((row) => row.reactionsCount > 0).map((row) => row.messageId)
  if (userId === undefined || reactedTo.length === 0) return new Map()
  const mine = await query<{ messageId: string; names: string[] }>(
    ctx,
    Prisma.sql`
    select subject_id as "messageId", array_agg(reaction_name order by reaction_name) as names
    from reaction where subject_type = 'message' and subject_id = any(${reactedTo}) and user_id = ${userId} group by subject_id`,
  )
  return new Map(mine.map((row) => [row.messageId, row.names]))
}

function distinct<Item>(items: Item[], idOf: (item: Item) => string): Item[] {
  return [...new Map(items.map((item) => [idOf(item), item])).values()]
}
