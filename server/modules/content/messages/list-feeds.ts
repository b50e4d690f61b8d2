import type { Ctx } from '#server/core/ctx.ts'
import { pageClauses, readPageRequest, toPage } from '#server/core/database/keyset.ts'
import { query, sql } from '#server/core/db.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { buildFeedsEnvelope, feedsOf } from '#server/modules/content/messages/build-feeds-envelope.ts'
import { assertReadableChannel } from '#server/modules/content/messages/feed-scope.ts'
import type { FeedsQuery, MessagesPage } from '#server/modules/content/messages/schema.ts'
import type { MessageFeedRow } from '#server/modules/content/messages/view.ts'

const FEEDS_A_PAGE = 10

/**
 * The feeds of one channel, the oldest first: its main feed is as old as the channel. Fails with NOT_FOUND, NOT_CHANNEL_MEMBER and
 * FORBIDDEN as `assertReadableChannel` does.
 */
export async function listFeeds(
  ctx: Ctx,
  { channelId, isDeleted, options }: FeedsQuery & { channelId: string },
): Promise<MessagesPage> {
  await assertReadableChannel(ctx, channelId)
  const page = readPageRequest(options, FEEDS_A_PAGE)
  const clauses = pageClauses(OLDEST_FIRST, page)
  const found = await query<MessageFeedRow>(
    ctx,
    sql`
    select feed.* from (${feedsOf(channelId)}) feed
    where ${isDeleted === undefined ? sql`true` : sql`feed.is_deleted = ${isDeleted}`} and ${clauses.where}
    order by ${clauses.orderBy} ${clauses.limit}`,
  )
  const { rows, paging } = toPage(found, page, (row) => [timestampOf(row.createdAt), row.messageFeedId])
  return { ...(await buildFeedsEnvelope(ctx, rows)), paging }
}

const OLDEST_FIRST = {
  first: { column: sql`feed.created_at`, isDescending: false, type: 'timestamptz' },
  tie: { column: sql`feed.message_feed_id`, isDescending: false },
} as const
