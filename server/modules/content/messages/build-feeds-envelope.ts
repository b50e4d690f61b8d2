import type { Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { buildMessagesEnvelope } from '#server/modules/content/messages/build-messages-envelope.ts'
import type { MessagesEnvelope } from '#server/modules/content/messages/schema.ts'
import { MESSAGE_FEED_COLUMNS, type MessageFeedRow, toMessageFeedView } from '#server/modules/content/messages/view.ts'

/** Selects the feeds of a channel as rows; its main feed is always included, with or without a row. Uses message_feed_channel_id_idx. */
export function feedsOf(channelId: string): Sql {
  return sql`
    select ${MESSAGE_FEED_COLUMNS}
    from channel c
    cross join lateral (
      select c.internal_id as message_feed_id
      union select own.message_feed_id from message_feed own where own.channel_id = c.channel_id) named
    left join message_feed f on f.message_feed_id = named.message_feed_id
    where c.channel_id = ${channelId}`
}

/** Feeds that the caller reads, with the latest message of each. */
export async function buildFeedsEnvelope(ctx: Ctx, rows: MessageFeedRow[]): Promise<MessagesEnvelope> {
  const latest = rows.flatMap(({ messagePreviewId }) => messagePreviewId ?? [])
  return {
    ...(await buildMessagesEnvelope(ctx, latest, rows)),
    messageFeeds: rows.map((row) => toMessageFeedView(ctx, row)),
  }
}
