import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mayKnowChannel, mayReadChannel } from '#server/modules/spaces/channels/channel-scope.ts'

/**
 * Whether `channel c` has this feed: one with a row, or its main feed, whose ids are both of the channel's. An id names one feed: what Docket
 * generated comes before what somebody chose.
 */
export function hasFeed(messageFeedId: string): Sql {
  return sql`c.channel_id = coalesce(
    (select channel_id from channel where internal_id = ${messageFeedId}),
    (select channel_id from message_feed where message_feed_id = ${messageFeedId}),
    (select channel_id from channel where channel_id = ${messageFeedId}))`
}

/** Whether it is the main feed of `channel c`, which has it. */
export function isMainFeed(messageFeedId: string): Sql {
  return sql`(c.internal_id = ${messageFeedId} or c.channel_id = ${messageFeedId}
    and not exists (select from message_feed where message_feed_id = ${messageFeedId}))`
}

/** The id of this feed of `channel c`, as messages and feeds have it, whichever id it was asked for by. */
export function storedFeedId(messageFeedId: string): Sql {
  return sql`case when ${isMainFeed(messageFeedId)} then c.internal_id else ${messageFeedId} end`
}

export interface FeedSpace {
  channelId: string
  isMain: boolean
  /** The id of the feed, as messages and feeds have it. */
  messageFeedId: string
}

/**
 * The channel of a feed whose messages the caller may read. NOT_FOUND for one the caller may not see; for one they may, NOT_CHANNEL_MEMBER
 * for a user who is not in it, FORBIDDEN for staff without access.
 */
export async function findFeedSpace(ctx: Ctx, messageFeedId: string): Promise<FeedSpace> {
  const space = await queryOne<FeedSpace & { isReadable: boolean }>(
    ctx,
    sql`
    select c.channel_id, ${isMainFeed(messageFeedId)} as is_main, ${mayReadChannel(ctx)} as is_readable,
      ${storedFeedId(messageFeedId)} as message_feed_id
    from channel c where ${hasFeed(messageFeedId)} and ${mayKnowChannel(ctx)}`,
  )
  if (space === undefined) throw new DomainError('NOT_FOUND')
  if (!space.isReadable) throw notReadable(ctx)
  return space
}

/** Fails unless the caller may read the channel: NOT_FOUND for one they may not see, else as `notReadable` says. */
export async function assertReadableChannel(ctx: Ctx, channelId: string): Promise<void> {
  const channel = await queryOne<{ isReadable: boolean }>(
    ctx,
    sql`
    select ${mayReadChannel(ctx)} as is_readable from channel c where c.channel_id = ${channelId} and ${mayKnowChannel(ctx)}`,
  )
  if (channel === undefined) throw new DomainError('NOT_FOUND')
  if (!channel.isReadable) throw notReadable(ctx)
}

export function notReadable(ctx: Ctx): DomainError {
  return new DomainError(ctx.actor.kind === 'user' ? 'NOT_CHANNEL_MEMBER' : 'FORBIDDEN')
}
