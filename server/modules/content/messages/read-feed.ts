import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { buildFeedsEnvelope, feedsOf } from '#server/modules/content/messages/build-feeds-envelope.ts'
import { findFeedSpace } from '#server/modules/content/messages/feed-scope.ts'
import type { MessagesEnvelope } from '#server/modules/content/messages/schema.ts'
import type { MessageFeedRow } from '#server/modules/content/messages/view.ts'

/** One feed, deleted or not: SDKs read the feed of what they have just written. Fails as `findFeedSpace` does. */
export async function readFeed(ctx: Ctx, feed: { messageFeedId: string }): Promise<MessagesEnvelope> {
  const { channelId, messageFeedId } = await findFeedSpace(ctx, feed.messageFeedId)
  const rows = await query<MessageFeedRow>(
    ctx,
    sql`select feed.* from (${feedsOf(channelId)}) feed where feed.message_feed_id = ${messageFeedId}`,
  )
  return buildFeedsEnvelope(ctx, rows)
}
