import type { Ctx } from '#server/core/ctx.ts'
import { jsonOfRows, rowsOfJson } from '#server/core/database/json-rows.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { mentionedIn } from '#server/modules/accounts/users/named-records.ts'
import {
  FEED_MESSAGE_COLUMNS,
  type FeedMessageRow,
  MESSAGE_FEED_COLUMNS,
  type MessageFeedRow,
} from '#server/modules/content/messages/view.ts'
import { myReactions } from '#server/modules/content/reactions/my-reactions.ts'

/** Messages in the order of their page, with their feeds and the caller's own reactions, by the message. */
export interface FoundMessageRows {
  messages: FeedMessageRow[]
  messageFeeds: MessageFeedRow[]
  myReactions: Record<string, string[]>
}

/** What `messageColumns` selects. */
export interface GatheredMessages {
  messages: Record<string, unknown>[] | null
  messageFeeds: Record<string, unknown>[] | null
  myReactions: Record<string, string[]> | null
}

/** Messages by the ids in `page`, a table of `id` and `position`. Uses message_pkey, channel_pkey and network_user_pkey. */
export const MESSAGE_TABLES = sql`
  found_message as materialized (
    select wrote.* from page cross join lateral (
      select ${FEED_MESSAGE_COLUMNS}, page.position
      from message m join channel c on c.channel_id = m.channel_id join network_user u on u.user_id = m.user_id
      where m.message_id = page.id offset 0) wrote)`

/** Everyone whom the rows of `MESSAGE_TABLES` refer to. */
export const MESSAGE_PEOPLE = sql`
  select user_id from found_message union all select feed_creator_id from found_message
  union all select latest_reaction ->> 'userId' from found_message
  union all ${mentionedIn(sql`found_message`)}`

export const MESSAGE_FILES = sql`select file_id from found_message where not is_deleted`

const REACTED_TO = sql`array(select message_id from found_message where reactions_count > 0)`

export function messageColumns(ctx: Ctx): Sql {
  return sql`
    ${jsonOfRows(sql`select * from found_message order by position`)} as messages,
    ${jsonOfRows(FEEDS)} as message_feeds, ${myReactions(ctx, 'message', REACTED_TO)} as my_reactions`
}

/** A message without a feed is in its channel's main feed. Uses channel_pkey and message_feed_pkey. */
const FEEDS = sql`
  select feed.* from (select distinct channel_id, message_feed_id from found_message) wrote
  cross join lateral (
    select ${MESSAGE_FEED_COLUMNS}
    from channel c
    left join message_feed f on f.message_feed_id = coalesce(wrote.message_feed_id, c.internal_id) and f.channel_id = c.channel_id
    where c.channel_id = wrote.channel_id
      and (f.message_feed_id is not null or coalesce(wrote.message_feed_id, c.internal_id) = c.internal_id) offset 0) feed
  order by feed.message_feed_id`

export function messagesIn(found: GatheredMessages | undefined): FoundMessageRows {
  const MADE = ['createdAt', 'updatedAt', 'editedAt'] as const
  return {
    messages: rowsOfJson<FeedMessageRow>(found?.messages, [...MADE]),
    messageFeeds: rowsOfJson<MessageFeedRow>(found?.messageFeeds, [...MADE, 'lastMessageTimestamp']),
    myReactions: found?.myReactions ?? {},
  }
}
