import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { avatarsOf } from '#server/modules/accounts/users/read-users.ts'
import { readReferencedUsers, type UserReferences } from '#server/modules/accounts/users/referenced-users.ts'
import type { MessageFeed, MessagesEnvelope } from '#server/modules/content/messages/schema.ts'
import {
  FEED_MESSAGE_COLUMNS,
  type FeedMessageRow,
  MESSAGE_FEED_COLUMNS,
  type MessageFeedRow,
  type MessageRow,
  toFeedMessageView,
  toMessageFeedView,
} from '#server/modules/content/messages/view.ts'
import { readMyReactions } from '#server/modules/content/reactions/read-my-reactions.ts'
import { readFiles } from '#server/modules/media/files/read-files.ts'

/**
 * Messages that the caller may see, in the order of their ids, with their feeds, files and all users they refer to, or that the records
 * returned beside them refer to. Uses message_pkey.
 */
export async function buildMessagesEnvelope(
  ctx: Ctx,
  messageIds: string[],
  alsoAnswered: UserReferences[] = [],
): Promise<MessagesEnvelope> {
  if (messageIds.length + alsoAnswered.length === 0) return { messages: [], messageFeeds: [], users: [], files: [] }
  const rows = await query<FeedMessageRow>(
    ctx,
    sql`
    select ${FEED_MESSAGE_COLUMNS}
    from message m join channel c on c.channel_id = m.channel_id join network_user u on u.user_id = m.user_id
    where m.message_id = any(${messageIds}) order by array_position(${messageIds}, m.message_id)`,
  )
  const [messageFeeds, users, myReactions] = await Promise.all([
    readFeeds(ctx, rows),
    readReferencedUsers(ctx, [...rows, ...alsoAnswered]),
    readMyReactions(
      ctx,
      'message',
      rows.filter((row) => row.reactionsCount > 0).map((row) => row.messageId),
    ),
  ])
  const attached = rows.flatMap(({ fileId, isDeleted }) => (isDeleted ? [] : (fileId ?? [])))
  return {
    messages: rows.map((row) => toFeedMessageView(ctx, row, { myReactions: myReactions.get(row.messageId) ?? [] })),
    messageFeeds,
    users,
    files: await readFiles(ctx, [...new Set([...attached, ...avatarsOf(users)])]),
  }
}

/** The same for published events: without anyone's own reactions. */
export function buildPublicMessagesEnvelope(ctx: Ctx, messageIds: string[]): Promise<MessagesEnvelope> {
  return buildMessagesEnvelope({ ...ctx, actor: { kind: 'nobody' } }, messageIds)
}

/** The feeds of these messages; a message without a feed is in its channel's main feed. */
async function readFeeds(ctx: Ctx, rows: MessageRow[]): Promise<MessageFeed[]> {
  const feeds = await query<MessageFeedRow>(
    ctx,
    sql`
    select ${MESSAGE_FEED_COLUMNS}
    from (
      select distinct * from unnest(${rows.map(({ channelId }) => channelId)}::text[], ${rows.map(({ messageFeedId }) => messageFeedId)}::text[])
        as wrote(channel_id, message_feed_id)) wrote
    join channel c on c.channel_id = wrote.channel_id
    left join message_feed f on f.message_feed_id = coalesce(wrote.message_feed_id, c.internal_id) and f.channel_id = c.channel_id
    where f.message_feed_id is not null or coalesce(wrote.message_feed_id, c.internal_id) = c.internal_id
    order by message_feed_id`,
  )
  return [...new Map(feeds.map((feed) => [feed.messageFeedId, toMessageFeedView(ctx, feed)])).values()]
}
