import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { execute, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mayInChannel } from '#server/core/permissions.ts'
import { buildMessagesEnvelope } from '#server/modules/content/messages/build-messages-envelope.ts'
import { hasFeed, isMainFeed, storedFeedId } from '#server/modules/content/messages/feed-scope.ts'
import { flaggableMessage } from '#server/modules/content/messages/flaggable-message.ts'
import { LAST_SEGMENT } from '#server/modules/content/messages/number-messages.ts'
import { recordRejectedMessage } from '#server/modules/content/messages/reject-message.ts'
import type { MessagesEnvelope, NewMessage } from '#server/modules/content/messages/schema.ts'
import { IS_BANNED, type Place } from '#server/modules/content/writing/place.ts'
import { type Writing, type WrittenKind, writeContent } from '#server/modules/content/writing/write-content.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import { linkKeysOf } from '#server/modules/rules/judging/link-keys.ts'
import { runningMessageRules } from '#server/modules/rules/judging/running-rules.ts'
import { mayKnowChannel } from '#server/modules/spaces/channels/channel-scope.ts'
import { communityOf } from '#server/modules/spaces/channels/community-of.ts'
import { mutedUntil } from '#server/modules/spaces/sanctions/muted.ts'

/**
 * Writes a message in a channel, as `writeContent` does. Also fails with CHANNEL_MUTED, and with FORBIDDEN for a closed channel and, in a broadcast,
 * for anyone but those who run it. What a live rule rejects is deleted at once, and moderators of the channel can restore it.
 */
export function createMessage(ctx: Ctx, input: NewMessage): Promise<MessagesEnvelope> {
  return writeContent(ctx, writtenMessage, input)
}

interface ChannelPlace extends Place {
  channelId: string
  /** The feed written to, as messages and feeds have it. */
  messageFeedId: string
  isMain: boolean
  /** For this person: those who may mute others are exempt. */
  isChannelMuted: boolean
}

interface Inserted {
  subjectId: string
  segment: number
  createdAt: Date
}

const writtenMessage: WrittenKind<NewMessage, ChannelPlace, Inserted, MessagesEnvelope> = {
  type: 'message',
  flaggable: flaggableMessage,
  findPlace,
  assertFits: (_input, { isChannelMuted }) => {
    if (isChannelMuted) throw new DomainError('CHANNEL_MUTED')
  },
  textsOf: ({ data, tags }) => [data, tags],
  mediaOf: ({ dataType }) => [dataType],
  insert,
  count: async (ctx, message, writing) => {
    if (writing.fate === 'public') await noteInChannel(ctx, message, writing)
  },
  stateOf: () => undefined,
  publish: async (ctx, { subjectId: messageId }, { place, fate, judgement }) => {
    const isRejected = fate === 'rejected'
    if (isRejected) await recordRejectedMessage(ctx, { messageId, ...place }, judgement.rejecting)
    const envelope = await buildMessagesEnvelope(ctx, [messageId])
    const name = isRejected ? 'v5.message.didDelete' : 'v5.message.didCreate'
    await recordEvent(ctx, { name, subjectType: 'message', subjectId: messageId, payload: { ...envelope } })
    return envelope
  },
}

function findPlace(ctx: Ctx, { messageFeedId }: NewMessage): Promise<ChannelPlace | undefined> {
  const channel = sql`c.channel_id`
  return queryOne<ChannelPlace>(
    ctx,
    sql`
    select c.channel_id, k.community_id, ${storedFeedId(messageFeedId)} as message_feed_id, ${isMainFeed(messageFeedId)} as is_main,
      ${IS_BANNED} as is_banned, coalesce(mine.membership = 'member', false) as is_member,
      not c.is_deleted and (c.type <> 'broadcast' or ${mayInChannel(ctx, 'edit', channel)}) as is_open,
      ${mutedUntil(ctx, sql`mine`)} as muted_until,
      coalesce(c.mute_timeout > ${ctx.now()}, false) and not ${mayInChannel(ctx, 'muteMembers', channel)} as is_channel_muted,
      false as is_reviewed, ${mayInChannel(ctx, 'deleteMessages', channel)} as may_review,
      ${runningMessageRules(sql`k.community_id`)} as rules
    from channel c
    left join lateral (${communityOf(sql`c`)}) k on true
    left join channel_user mine
      on mine.channel_id = c.channel_id and mine.user_id = ${actingUserId(ctx) ?? null} and not mine.is_deleted
    where ${hasFeed(messageFeedId)} and (${mayKnowChannel(ctx)} or ${IS_BANNED})`,
  )
}

/**
 * Messages of one channel are written one after the other from here on, as each has its number: the next one waits until this one is committed. The
 * number follows the channel's last; uses message_segment. Fails with FORBIDDEN for a channel that was closed in the meantime.
 */
async function insert(ctx: Ctx, writing: Writing<NewMessage, ChannelPlace>): Promise<Inserted> {
  const { input, place, authorId, mentionees, fate } = writing
  const { channelId } = place
  const isRejected = fate === 'rejected'
  const locked = await queryOne(
    ctx,
    sql`select 1 as locked from channel where channel_id = ${channelId} and not is_deleted for no key update`,
  )
  if (locked === undefined) throw new DomainError('FORBIDDEN')
  if (input.parentId !== undefined) await answerParent(ctx, place, input.parentId, isRejected ? 0 : 1)
  const now = ctx.now()
  const message = await queryOne<Inserted>(
    ctx,
    sql`
    insert into message (message_id, channel_id, message_feed_id, user_id, parent_id, file_id, type, data, metadata, mentionees, tags,
      channel_segment, is_deleted, link_keys, created_at, updated_at)
    values (new_internal_id(), ${channelId}, ${place.isMain ? null : place.messageFeedId}, ${authorId}, ${input.parentId ?? null},
      ${input.fileId ?? null}, ${input.dataType}, ${JSON.stringify(input.data)}::jsonb,
      ${input.metadata ? JSON.stringify(input.metadata) : null}::jsonb, ${JSON.stringify(mentionees)}::jsonb, ${input.tags},
      least(coalesce((select max(channel_segment) from message where channel_id = ${channelId} and channel_segment is not null), 0),
        ${LAST_SEGMENT} - 1) + 1,
      ${isRejected}, ${linkKeysOf(input.data)}::bigint[], ${now}, ${now})
    returning message_id as subject_id, channel_segment as segment, created_at`,
  )
  if (message === undefined) throw new Error('an insert returned no row')
  return message
}

/** Adds to the replies of a message of the same feed. Fails with NOT_FOUND where there is none. */
async function answerParent(ctx: Ctx, place: ChannelPlace, parentId: string, replies: 0 | 1): Promise<void> {
  const { channelId, messageFeedId, isMain } = place
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

/**
 * Counts it and updates the latest message of the channel and the feed, its author's read position, and the mentioned users' unread mentions.
 */
async function noteInChannel(
  ctx: Ctx,
  { subjectId: messageId, segment, createdAt }: Inserted,
  { place: { channelId, messageFeedId }, authorId, input }: Writing<NewMessage, ChannelPlace>,
): Promise<void> {
  const mentioned = (input.mentionees ?? []).flatMap((mentionee) => mentionee.userIds)
  await execute(
    ctx,
    sql`
    with feed as (
      update message_feed set last_message_id = ${messageId}, message_preview_id = ${messageId}, last_message_timestamp = ${createdAt},
        child_count = child_count + 1
      where message_feed_id = ${messageFeedId}),
    people as (
      update channel_user set
        last_activity = case when user_id = ${authorId} then ${createdAt} else last_activity end,
        read_to_segment = case when user_id = ${authorId} then ${segment} else read_to_segment end,
        last_mentioned_segment = case when user_id = any(${mentioned}) then ${segment} else last_mentioned_segment end
      where channel_id = ${channelId} and user_id = any(${[authorId, ...mentioned]})),
    counted as (insert into tally_delta (kind, subject_id, delta) values ('channel_messages', ${channelId}, 1))
    update channel set last_activity = ${createdAt}, last_message_at = ${createdAt}, message_preview_id = ${messageId}
    where channel_id = ${channelId}`,
  )
}
