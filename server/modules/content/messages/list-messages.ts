import type { Ctx } from '#server/core/ctx.ts'
import { type ListOrder, pageClauses, readPageRequest, toPage } from '#server/core/database/keyset.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { buildMessagesEnvelope } from '#server/modules/content/messages/build-messages-envelope.ts'
import { type FeedSpace, findFeedSpace } from '#server/modules/content/messages/feed-scope.ts'
import type { MessagesPage, MessagesQuery } from '#server/modules/content/messages/schema.ts'

const USUAL_LIMIT = 20

/**
 * The messages of one feed, latest first by default: in the order of time, which is that of their segments where they have any. Fails with
 * NOT_FOUND, NOT_CHANNEL_MEMBER and FORBIDDEN as `findFeedSpace` does.
 */
export async function listMessages(ctx: Ctx, input: MessagesQuery): Promise<MessagesPage> {
  const space = await findFeedSpace(ctx, input.messageFeedId)
  const page = readPageRequest(input.options, USUAL_LIMIT)
  const { where, orderBy, limit } = pageClauses(orderOf(input), page)
  const found = await query<{ messageId: string; createdAt: Date }>(
    ctx,
    sql`
    select m.message_id, m.created_at from message m
    where m.channel_id = ${space.channelId} and ${inFeed(space)} ${narrowed(input)} and ${where}
    order by ${orderBy} ${limit}`,
  )
  const { rows, paging } = toPage(found, page, (row) => [timestampOf(row.createdAt), row.messageId])
  const envelope = await buildMessagesEnvelope(
    ctx,
    rows.map((row) => row.messageId),
  )
  return { ...envelope, paging }
}

/** Along message_in_channel, message_flagged or message_replies. */
function orderOf({ options }: MessagesQuery): ListOrder {
  const isDescending = options.sortBy === 'segmentDesc'
  return {
    first: { column: sql`m.created_at`, isDescending, type: 'timestamptz' },
    tie: { column: sql`m.message_id`, isDescending: !isDescending },
  }
}

/** A message without a feed is in its channel's main feed. */
function inFeed({ isMain, messageFeedId }: FeedSpace): Sql {
  const here = sql`m.message_feed_id = ${messageFeedId}`
  return isMain ? sql`(m.message_feed_id is null or ${here})` : here
}

function narrowed({ parentId, filterByParentId, hasFlags, isDeleted, tags }: MessagesQuery): Sql {
  const conditions: Sql[] = []
  if (parentId !== undefined) conditions.push(sql`m.parent_id = ${parentId}`)
  else if (filterByParentId) conditions.push(sql`m.parent_id is null`)
  if (hasFlags !== undefined) conditions.push(hasFlags ? sql`m.flag_count > 0` : sql`m.flag_count = 0`)
  if (isDeleted !== undefined) conditions.push(isDeleted ? sql`m.is_deleted` : sql`not m.is_deleted`)
  if (tags !== undefined) conditions.push(sql`m.tags && ${tags}`)
  return conditions.length === 0 ? sql.empty : sql`and ${sql.join(conditions, ' and ')}`
}
