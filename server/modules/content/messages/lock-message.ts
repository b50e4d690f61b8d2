import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { execute, listOf, queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds, mayInChannel, mayInEveryChannel } from '#server/core/permissions.ts'
import { notReadable } from '#server/modules/content/messages/feed-scope.ts'
import { mayKnowChannel, mayReadChannel } from '#server/modules/spaces/channels/channel-scope.ts'

export interface FoundMessage {
  messageId: string
  channelId: string
  messageFeedId: string
  parentId: string | null
  authorId: string
  isDeleted: boolean
  /** Whether its author deleted it: nothing makes it visible again. */
  isWithdrawn: boolean
  isOwn: boolean
  mayDelete: boolean
  /** The number of flags that deletes a message of its channel; null for no limit. */
  flagLimit: number | null
}

/**
 * Reads a message inside the caller's scope, their own included in any channel. NOT_FOUND for one in a channel they may not see; in one
 * they may see but not read, NOT_CHANNEL_MEMBER for users and FORBIDDEN for staff.
 */
export function findMessage(ctx: Ctx, messageId: string): Promise<FoundMessage> {
  return find(ctx, messageId, sql.empty)
}

/** Locks a message of `findMessage` until the transaction ends, and its channel, whose latest message it may be. */
export function lockMessage(ctx: Ctx, messageId: string): Promise<FoundMessage> {
  return find(ctx, messageId, LOCKED)
}

/** Locks a message for moderators of its channel: NOT_FOUND for anyone else. Those who may open conversations have access to them. */
export function lockModerated(ctx: Ctx, messageId: string): Promise<FoundMessage> {
  return find(ctx, messageId, LOCKED, mayModerateMessages(ctx))
}

/** Locks the channels of several messages that are locked afterwards, so that two callers with messages of the same channels can't deadlock. */
export async function lockChannelsOf(ctx: Ctx, messageIds: string[]): Promise<void> {
  await execute(
    ctx,
    sql`
    select from channel where channel_id in (select channel_id from message where message_id = any(${listOf(messageIds)}))
    order by channel_id for no key update`,
  )
}

/** Whether the caller moderates messages wherever they may read them, whatever the channel. */
export function moderatesEverywhere(ctx: Ctx): boolean {
  return mayInEveryChannel(ctx, 'deleteMessages')
}

/** Whether the caller moderates the messages of `channel c`, as an SQL condition. */
export function mayModerateMessages(ctx: Ctx): Sql {
  const mayOpen = holds(ctx, 'READ_CONVERSATIONS') ? sql`c.type = 'conversation'` : sql`false`
  return sql`(${mayInChannel(ctx, 'deleteMessages', sql`c.channel_id`)} and (${mayReadChannel(ctx)} or ${mayOpen}))`
}

const LOCKED = sql`for no key update of c, m`

async function find(ctx: Ctx, messageId: string, lock: Sql, moderates?: Sql): Promise<FoundMessage> {
  const isOwn = sql`coalesce(m.user_id = ${actingUserId(ctx) ?? null}, false)`
  const message = await queryOne<FoundMessage & { isReadable: boolean }>(
    ctx,
    sql`
    select m.message_id, m.channel_id, coalesce(m.message_feed_id, c.internal_id) as message_feed_id,
      m.parent_id, m.user_id as author_id, m.is_deleted, m.withdrawn_at is not null as is_withdrawn, ${isOwn} as is_own,
      ${mayInChannel(ctx, 'deleteMessages', sql`c.channel_id`)} as may_delete,
      case when c.message_auto_delete_enabled then c.auto_delete_message_by_flag_limit end as flag_limit,
      ${moderates ?? sql`(${isOwn} or ${mayReadChannel(ctx)})`} as is_readable
    from message m join channel c on c.channel_id = m.channel_id
    where m.message_id = ${messageId} and ${moderates ?? sql`(${isOwn} or ${mayKnowChannel(ctx)})`} ${lock}`,
  )
  if (message === undefined) throw new DomainError('NOT_FOUND')
  if (!message.isReadable) throw notReadable(ctx)
  return message
}
