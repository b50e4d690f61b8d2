import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, query } from '#server/core/db.ts'
import { pageClauses, readPageRequest, toPage } from '#server/core/keyset.ts'
import { answerMessages } from '#server/modules/messages/answer-messages.ts'
import { requireReadableChannel } from '#server/modules/messages/feed-scope.ts'
import type { FeedsQuery, MessagesPage } from '#server/modules/messages/schema.ts'
import { MESSAGE_FEED_COLUMNS, type MessageFeedRow, toMessageFeedView } from '#server/modules/messages/view.ts'

const FEEDS_A_PAGE = 10

/**
 * The feeds of one channel with the latest message of each, the oldest feed first: its main feed is as old as the channel. Fails
 * with NOT_FOUND, NOT_CHANNEL_MEMBER and FORBIDDEN as `requireReadableChannel` says.
 */
export async function listFeeds(
  ctx: Ctx,
  { channelId, isDeleted, options }: FeedsQuery & { channelId: string },
): Promise<MessagesPage> {
  await requireReadableChannel(ctx, channelId)
  const page = readPageRequest(options, FEEDS_A_PAGE)
  const clauses = pageClauses(OLDEST_FIRST, page)
  // The main feed may be written down or not. Uses message_feed_channel_id_idx.
  const found = await query<MessageFeedRow>(
    ctx,
    Prisma.sql`
    select feed.* from (
      select ${MESSAGE_FEED_COLUMNS}
      from channel c
      cross join lateral (
        select c.internal_id as message_feed_id
        union select own.message_feed_id from message_feed own where own.channel_id = c.channel_id) named
      left join message_feed f on f.message_feed_id = named.message_feed_id
      where c.channel_id = ${channelId}) feed
    where ${isDeleted === undefined ? Prisma.sql`true` : Prisma.sql`feed."isDeleted" = ${isDeleted}`} and ${clauses.where}
    order by ${clauses.orderBy} ${clauses.limit}`,
  )
  const { rows, paging } = toPage(found, page, (row) => [row.createdAt.toISOString(), row.messageFeedId])
  const envelope = await answerMessages(
    ctx,
    rows.flatMap(({ messagePreviewId }) => messagePreviewId ?? []),
  )
  return { ...envelope, messageFeeds: rows.map(toMessageFeedView), paging }
}

const OLDEST_FIRST = {
  first: { column: Prisma.sql`feed."createdAt"`, isDescending: false, type: 'timestamptz' },
  tie: { column: Prisma.sql`feed."messageFeedId"`, isDescending: false },
} as const
