import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mayInChannel } from '#server/core/permissions.ts'
import { buildMessagesEnvelope, readEnvelope } from '#server/modules/content/messages/build-messages-envelope.ts'
import { hasFeed, isMainFeed, storedFeedId } from '#server/modules/content/messages/feed-scope.ts'
import { flaggableMessage } from '#server/modules/content/messages/flaggable-message.ts'
import { LAST_SEGMENT } from '#server/modules/content/messages/number-messages.ts'
import { recordRejectedMessage } from '#server/modules/content/messages/reject-message.ts'
import type { MessagesEnvelope, NewMessage } from '#server/modules/content/messages/schema.ts'
import { IS_BANNED, type Space } from '#server/modules/content/writing/space.ts'
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

interface ChannelSpace extends Space {
  channelId: string
  /** The feed written to, as messages and feeds have it. */
  messageFeedId: string
  isMain: boolean
  /** For this person: those who may mute others are exempt. */
  isChannelMuted: boolean
}

const writtenMessage: WrittenKind<NewMessage, ChannelSpace, MessagesEnvelope> = {
  type: 'message',
  flaggable: flaggableMessage,
  findSpace,
  assertFits: (_input, { isChannelMuted }) => {
    if (isChannelMuted) throw new DomainError('CHANNEL_MUTED')
  },
  textsOf: ({ data, tags }) => [data, tags],
  mediaOf: ({ dataType }) => [dataType],
  insert,
  stateOf: () => undefined,
  read: (ctx, id) => buildMessagesEnvelope(ctx, [id]),
  eventName: () => 'v5.message.didCreate',
  publishHidden: async (ctx, messageId, { space, judgement }, answer) => {
    await recordRejectedMessage(ctx, { messageId, ...space }, judgement.rejecting)
    const subject = { subjectType: 'message', subjectId: messageId }
    await recordEvent(ctx, { ...subject, name: 'v5.message.didDelete', payload: { ...answer } })
  },
}

function findSpace(ctx: Ctx, { messageFeedId }: NewMessage): Promise<ChannelSpace | undefined> {
  const channel = sql`c.channel_id`
  return queryOne<ChannelSpace>(
    ctx,
    sql`
    select c.channel_id, k.community_id, ${storedFeedId(messageFeedId)} as message_feed_id, ${isMainFeed(messageFeedId)} as is_main,
      ${IS_BANNED} as is_banned, coalesce(mine.membership = 'member', false) as is_member,
      not c.is_deleted and (c.type <> 'broadcast' or ${mayInChannel(ctx, 'edit', channel)}) as is_open,
      ${mutedUntil(ctx, sql`mine`)} as muted_until,
      coalesce(c.mute_timeout > ${ctx.now()}, false) and not ${mayInChannel(ctx, 'muteMembers', channel)} as is_channel_muted,
      false as is_reviewed, ${mayInChannel(ctx, 'deleteMessages', channel)} as may_review,
      null::jsonb as treatment, ${runningMessageRules(sql`k.community_id`)} as rules
    from channel c
    left join lateral (${communityOf(sql`c`)}) k on true
    left join channel_user mine
      on mine.channel_id = c.channel_id and mine.user_id = ${actingUserId(ctx) ?? null} and not mine.is_deleted
    where ${hasFeed(messageFeedId)} and (${mayKnowChannel(ctx)} or ${IS_BANNED})`,
  )
}

/**
 * Messages of one channel are written one after the other from here on, as each has its number: the next one waits until this one is committed. Fails
 * with FORBIDDEN for a channel that was closed in the meantime.
 */
async function insert(ctx: Ctx, writing: Writing<NewMessage, ChannelSpace>) {
  const { input, space, fate } = writing
  const locked = await queryOne(
    ctx,
    sql`select 1 as locked from channel where channel_id = ${space.channelId} and not is_deleted for no key update`,
  )
  if (locked === undefined) throw new DomainError('FORBIDDEN')
  if (input.parentId !== undefined) await answerParent(ctx, space, input.parentId, fate === 'rejected' ? 0 : 1)
  const noted = fate === 'public' ? sql`, ${notedIn(writing)}` : sql.empty
  const page = sql`page as (select message_id as id, 1 as position from message)`
  const answer = await readEnvelope(ctx, sql`message as (${inserted(ctx, writing)})${noted}, ${page}`)
  const [message] = answer.messages
  if (message === undefined) throw new Error('an insert returned no row')
  return { subjectId: message.messageId, answer }
}

/** The number follows the channel's last; uses message_segment. */
function inserted(ctx: Ctx, { input, space, authorId, mentionees, fate }: Writing<NewMessage, ChannelSpace>): Sql {
  const { channelId } = space
  const now = ctx.now()
  return sql`
    insert into message (message_id, channel_id, message_feed_id, user_id, parent_id, file_id, type, data, metadata, mentionees, tags,
      channel_segment, is_deleted, link_keys, created_at, updated_at)
    values (new_internal_id(), ${channelId}, ${space.isMain ? null : space.messageFeedId}, ${authorId}, ${input.parentId ?? null},
      ${input.fileId ?? null}, ${input.dataType}, ${JSON.stringify(input.data)}::jsonb,
      ${input.metadata ? JSON.stringify(input.metadata) : null}::jsonb, ${JSON.stringify(mentionees)}::jsonb, ${input.tags},
      least(coalesce((select max(channel_segment) from message where channel_id = ${channelId} and channel_segment is not null), 0),
        ${LAST_SEGMENT} - 1) + 1,
      ${fate === 'rejected'}, ${linkKeysOf(input.data)}::bigint[], ${now}, ${now})
    returning *`
}

/**
 * Common table expressions that count the row of `message`, make it the latest of its channel and its feed, and update its author's read position and the
 * mentioned users' unread mentions. Named like the tables that the envelope is read from, so that it has these rows as they become.
 */
function notedIn({ space, authorId, input }: Writing<NewMessage, ChannelSpace>): Sql {
  const mentioned = (input.mentionees ?? []).flatMap((mentionee) => mentionee.userIds)
  return sql`
    counted as (insert into tally_delta (kind, subject_id, delta) select 'channel_messages', channel_id, 1 from message),
    message_feed as (
      update message_feed f set last_message_id = m.message_id, message_preview_id = m.message_id, last_message_timestamp = m.created_at,
        child_count = f.child_count + 1
      from message m where f.message_feed_id = ${space.messageFeedId}
      returning f.*),
    channel as (
      update channel c set last_activity = m.created_at, last_message_at = m.created_at, message_preview_id = m.message_id
      from message m where c.channel_id = m.channel_id
      returning c.*),
    reader as (
      update channel_user cu set
        last_activity = case when cu.user_id = m.user_id then m.created_at else cu.last_activity end,
        read_to_segment = case when cu.user_id = m.user_id then m.channel_segment else cu.read_to_segment end,
        last_mentioned_segment = case when cu.user_id = any(${mentioned}) then m.channel_segment else cu.last_mentioned_segment end
      from message m where cu.channel_id = m.channel_id and cu.user_id = any(${[authorId, ...mentioned]}))`
}

/** Adds to the replies of a message of the same feed. Fails with NOT_FOUND where there is none. */
async function answerParent(ctx: Ctx, space: ChannelSpace, parentId: string, replies: 0 | 1): Promise<void> {
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
