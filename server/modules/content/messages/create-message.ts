import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mayInChannel } from '#server/core/permissions.ts'
import { countMentioned, readMentioned } from '#server/modules/content/comments/read-mentioned.ts'
import type { Comment } from '#server/modules/content/comments/schema.ts'
import { flagByRules } from '#server/modules/content/flags/flag.ts'
import { buildMessagesEnvelope } from '#server/modules/content/messages/build-messages-envelope.ts'
import { hasFeed, isMainFeed, storedFeedId } from '#server/modules/content/messages/feed-scope.ts'
import { flaggableMessage } from '#server/modules/content/messages/flaggable-message.ts'
import { LAST_SEGMENT } from '#server/modules/content/messages/number-messages.ts'
import { recordRejectedMessage } from '#server/modules/content/messages/reject-message.ts'
import type { MessagesEnvelope, NewMessage } from '#server/modules/content/messages/schema.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { recordDelta } from '#server/modules/ledger/counts/record-delta.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import { assertTextAllowed } from '#server/modules/network/word-lists/assert-text-allowed.ts'
import { type Judgement, judgeContent, recordMatches, UNJUDGED } from '#server/modules/rules/judging/judge-content.ts'
import { linkKeysOf } from '#server/modules/rules/judging/link-keys.ts'
import { runningMessageRules } from '#server/modules/rules/judging/running-rules.ts'
import { mayKnowChannel } from '#server/modules/spaces/channels/channel-scope.ts'
import { communityOf } from '#server/modules/spaces/channels/community-of.ts'
import { assertNotMuted, mutedUntil } from '#server/modules/spaces/sanctions/muted.ts'

/**
 * Writes a message in a channel. Fails with NOT_FOUND for a feed the caller may not see, BANNED, NOT_CHANNEL_MEMBER, MUTED, CHANNEL_MUTED,
 * FORBIDDEN for a closed channel and, in a broadcast, for anyone but those who run it, BLOCKED_WORD and LINK_NOT_ALLOWED for text that the
 * lists reject. Live rules may report it, or reject it: then it is deleted at once, and moderators of the channel can restore it.
 */
export function createMessage(ctx: Ctx, input: NewMessage): Promise<MessagesEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    const space = await lockSpace(ctx, input.messageFeedId)
    const authorId = admit(ctx, space)
    await assertTextAllowed(ctx, [input.data, input.tags])

    const mentionees = await readMentioned(ctx, input.mentionees ?? [])
    const judgement = await judgeMessage(ctx, { input, space, authorId, mentionees })
    const isRejected = judgement.rejecting.length > 0
    if (input.parentId !== undefined) await answerParent(ctx, space, input.parentId, isRejected ? 0 : 1)
    const message = await insert(ctx, { input, space, authorId, mentionees, isRejected })
    const { messageId } = message
    await recordMatches(ctx, { kind: 'message', subjectId: messageId }, judgement)
    if (!isRejected) {
      await noteInChannel(ctx, { message, space, authorId, input })
      await recordDelta(ctx, 'channel_messages', space.channelId, 1)
    }
    const subject = { subjectType: 'message', subjectId: messageId }
    await recordAudit(ctx, { ...subject, action: 'message.created', channelId: space.channelId })
    if (isRejected) await recordRejectedMessage(ctx, { messageId, ...space }, judgement.rejecting)
    const envelope = await buildMessagesEnvelope(ctx, [messageId])
    const name = isRejected ? 'v5.message.didDelete' : 'v5.message.didCreate'
    await recordEvent(ctx, { ...subject, name, payload: { ...envelope } })
    if (isRejected || judgement.flagging.length === 0) return envelope
    await flagByRules(ctx, flaggableMessage, { id: messageId, rules: judgement.flagging })
    return buildMessagesEnvelope(ctx, [messageId])
  })
}

/** The channel written to, and the caller's standing there. */
interface Space {
  channelId: string
  /** The feed written to, as messages and feeds have it. */
  messageFeedId: string
  isMain: boolean
  isClosed: boolean
  isBroadcast: boolean
  membership: 'none' | 'member' | 'banned' | null
  mutedUntil: Date | null
  isChannelMuted: boolean
  mayMute: boolean
  mayEdit: boolean
  mayDelete: boolean
  /** The community whose channel it is. */
  communityId: string | null
  /** `runningMessageRules` of it. */
  rules: string | null
}

/** Messages of one channel are written one after the other: each has its number, and the channel shows the latest. */
async function lockSpace(ctx: Ctx, messageFeedId: string): Promise<Space> {
  const channel = sql`c.channel_id`
  const space = await queryOne<Space>(
    ctx,
    sql`
    select c.channel_id, ${storedFeedId(messageFeedId)} as message_feed_id, ${isMainFeed(messageFeedId)} as is_main,
      c.is_deleted as is_closed,
      c.type = 'broadcast' as is_broadcast, mine.membership, ${mutedUntil(ctx, sql`mine`)} as muted_until,
      coalesce(c.mute_timeout > ${ctx.now()}, false) as is_channel_muted,
      ${mayInChannel(ctx, 'muteMembers', channel)} as may_mute, ${mayInChannel(ctx, 'edit', channel)} as may_edit,
      ${mayInChannel(ctx, 'deleteMessages', channel)} as may_delete, k.community_id, ${runningMessageRules(sql`k.community_id`)} as rules
    from channel c
    left join lateral (${communityOf(sql`c`)}) k on true
    left join channel_user mine
      on mine.channel_id = c.channel_id and mine.user_id = ${actingUserId(ctx) ?? null} and not mine.is_deleted
    where ${hasFeed(messageFeedId)} and (${mayKnowChannel(ctx)} or mine.membership = 'banned')
    for no key update of c`,
  )
  if (space === undefined) throw new DomainError('NOT_FOUND')
  return space
}

/** An admin token is not a user, and so can't write. Those who may mute others are exempt from muting the channel. */
function admit(ctx: Ctx, space: Space): string {
  const userId = actingUserId(ctx)
  if (userId === undefined) throw new DomainError('FORBIDDEN')
  if (space.membership === 'banned') throw new DomainError('BANNED')
  if (space.membership !== 'member') throw new DomainError('NOT_CHANNEL_MEMBER')
  if (space.isClosed || (space.isBroadcast && !space.mayEdit)) throw new DomainError('FORBIDDEN')
  assertNotMuted(ctx, space.mutedUntil)
  if (space.isChannelMuted && !space.mayMute) throw new DomainError('CHANNEL_MUTED')
  return userId
}

/** Adds to the replies of a message of the same feed. Fails with NOT_FOUND where there is none. */
async function answerParent(ctx: Ctx, space: Space, parentId: string, replies: 0 | 1): Promise<void> {
  const { channelId, messageFeedId, isMain } = space
  const parent = await queryOne(
    ctx,
    sql`
    update message set children_number = children_number + ${replies}
    where message_id = ${parentId} and channel_id = ${channelId} and not is_deleted
      and coalesce(message_feed_id, ${isMain ? messageFeedId : null}) = ${messageFeedId}
    returning message_id`,
  )
  if (parent === undefined) throw new DomainError('NOT_FOUND')
}

interface Writing {
  input: NewMessage
  space: Space
  authorId: string
  mentionees: Comment['mentionees']
}

/** Rules don't judge what those write who may delete messages there. */
async function judgeMessage(ctx: Ctx, { input, space, authorId, mentionees }: Writing): Promise<Judgement> {
  if (space.mayDelete) return UNJUDGED
  return judgeContent(ctx, {
    ...space,
    kind: 'message',
    authorId,
    data: input.data,
    mentions: countMentioned(mentionees),
    media: [input.dataType],
  })
}

interface Inserted {
  messageId: string
  segment: number
  createdAt: Date
}

/** The number follows the channel's last; uses message_segment. */
async function insert(
  ctx: Ctx,
  { input, space, authorId, mentionees, isRejected }: Writing & { isRejected: boolean },
): Promise<Inserted> {
  const now = ctx.now()
  const message = await queryOne<Inserted>(
    ctx,
    sql`
    insert into message (message_id, channel_id, message_feed_id, user_id, parent_id, file_id, type, data, metadata, mentionees, tags,
      channel_segment, is_deleted, link_keys, created_at, updated_at)
    values (new_internal_id(), ${space.channelId}, ${space.isMain ? null : space.messageFeedId}, ${authorId}, ${input.parentId ?? null},
      ${input.fileId ?? null}, ${input.dataType}, ${JSON.stringify(input.data)}::jsonb,
      ${input.metadata ? JSON.stringify(input.metadata) : null}::jsonb, ${JSON.stringify(mentionees)}::jsonb, ${input.tags},
      least(coalesce((select max(channel_segment) from message where channel_id = ${space.channelId} and channel_segment is not null), 0),
        ${LAST_SEGMENT} - 1) + 1,
      ${isRejected}, ${linkKeysOf(input.data)}::bigint[], ${now}, ${now})
    returning message_id, channel_segment as segment, created_at`,
  )
  if (message === undefined) throw new Error('an insert returned no row')
  return message
}

/** Updates the latest message of the channel and the feed, its author's read position, and the mentioned users' unread mentions. */
async function noteInChannel(
  ctx: Ctx,
  { message, space, authorId, input }: Omit<Writing, 'mentionees'> & { message: Inserted },
): Promise<void> {
  const { messageId, segment, createdAt } = message
  const mentioned = (input.mentionees ?? []).flatMap((mentionee) => mentionee.userIds)
  await execute(
    ctx,
    sql`
    with feed as (
      update message_feed set last_message_id = ${messageId}, message_preview_id = ${messageId}, last_message_timestamp = ${createdAt},
        child_count = child_count + 1
      where message_feed_id = ${space.messageFeedId}),
    people as (
      update channel_user set
        last_activity = case when user_id = ${authorId} then ${createdAt} else last_activity end,
        read_to_segment = case when user_id = ${authorId} then ${segment} else read_to_segment end,
        last_mentioned_segment = case when user_id = any(${mentioned}) then ${segment} else last_mentioned_segment end
      where channel_id = ${space.channelId} and user_id = any(${[authorId, ...mentioned]}))
    update channel set last_activity = ${createdAt}, last_message_at = ${createdAt}, message_preview_id = ${messageId}
    where channel_id = ${space.channelId}`,
  )
}
