import type { Ctx } from '#server/core/ctx.ts'
import { sql } from '#server/core/db.ts'
import { messageFeedPath, messagePath } from '#server/core/record-path.ts'
import { timestampIfAny, timestampOf } from '#server/core/wire/timestamp.ts'
import type { FeedMessage, Message, MessageFeed } from '#server/modules/content/messages/schema.ts'

/** What `toMessageView` reads, selected from `message m`. */
const MESSAGE_COLUMNS = sql`
  m.message_id, m.internal_id, m.channel_id, m.message_feed_id,
  m.user_id, m.parent_id, m.file_id, m.type, m.data, m.channel_segment,
  m.tags, m.metadata, m.flag_count, m.hash_flag, m.children_number, m.reactions,
  m.reactions_count, m.latest_reaction, m.mentionees, m.is_deleted,
  m.edited_at, m.created_at, m.updated_at`

export interface MessageRow {
  messageId: string
  internalId: string
  channelId: string
  messageFeedId: string | null
  userId: string
  parentId: string | null
  fileId: string | null
  type: string
  data: Record<string, unknown> | null
  channelSegment: number | null
  tags: string[]
  metadata: Record<string, unknown> | null
  flagCount: number
  hashFlag: Message['hashFlag'] | null
  childrenNumber: number
  reactions: Record<string, number>
  reactionsCount: number
  latestReaction: Message['latestReaction'] | null
  mentionees: Message['mentionees'] | null
  isDeleted: boolean
  editedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** A search result. A deleted message has no body (docs/interface/messages.md#message). */
function toMessageView({ networkId }: Ctx, row: FeedMessageRow, seen: { myReactions: string[] }): Message {
  return {
    _id: row.internalId,
    path: messagePath(networkId, row.mainFeedId, row.internalId),
    messageId: row.messageId,
    channelId: row.channelId,
    userId: row.userId,
    parentId: row.parentId ?? undefined,
    fileId: row.fileId ?? undefined,
    type: row.type,
    data: row.isDeleted ? undefined : (row.data ?? undefined),
    channelSegment: row.channelSegment ?? undefined,
    tags: row.tags,
    metadata: row.metadata ?? undefined,
    flagCount: row.flagCount,
    hashFlag: row.hashFlag ?? undefined,
    childrenNumber: row.childrenNumber,
    reactionsCount: row.reactionsCount,
    reactions: row.reactions,
    myReactions: seen.myReactions,
    latestReaction: row.latestReaction ?? undefined,
    isDeleted: row.isDeleted,
    createdAt: timestampOf(row.createdAt),
    updatedAt: timestampOf(row.updatedAt),
    editedAt: timestampIfAny(row.editedAt),
    mentionees: row.mentionees ?? [],
  }
}

/** What `toFeedMessageView` reads, selected from `message m`, its `channel c` and its author, `network_user u`. */
export const FEED_MESSAGE_COLUMNS = sql`
  ${MESSAGE_COLUMNS}, (select f.creator_id from message_feed f where f.message_feed_id = m.message_feed_id) as feed_creator_id,
  -- The main feed of a channel bears the channel's internal id.
  c.internal_id as main_feed_id, c.type as channel_type, u.internal_id as creator_internal_id`

export interface FeedMessageRow extends MessageRow {
  feedCreatorId: string | null
  mainFeedId: string
  channelType: FeedMessage['channelType']
  creatorInternalId: string
}

/** A message with the field names of version 5 (docs/interface/messages.md#message). */
export function toFeedMessageView(ctx: Ctx, row: FeedMessageRow, seen: { myReactions: string[] }): FeedMessage {
  const message = toMessageView(ctx, row, seen)
  return {
    ...message,
    messageFeedId: row.messageFeedId ?? row.mainFeedId,
    channelPublicId: row.channelId,
    channelType: row.channelType,
    creatorId: row.creatorInternalId,
    creatorPublicId: row.userId,
    dataType: row.type,
    segment: row.channelSegment ?? undefined,
    childCount: row.childrenNumber,
    reactionCount: row.reactionsCount,
    mentionedUsers: message.mentionees,
  }
}

/**
 * What `toMessageFeedView` reads, selected from `channel c` and, where there is one, its `message_feed f`. Without one it is
 * the channel's main feed, whose id is the channel's internal id.
 */
export const MESSAGE_FEED_COLUMNS = sql`
  coalesce(f.message_feed_id, c.internal_id) as message_feed_id, c.channel_id, c.internal_id as channel_internal_id,
  c.type as channel_type, coalesce(f.name, c.display_name) as name, f.creator_id, f.last_message_id,
  coalesce(f.message_preview_id, case when f.message_feed_id is null then c.message_preview_id end) as message_preview_id,
  coalesce(f.child_count, 0) as child_count, coalesce(f.is_deleted, c.is_deleted) as is_deleted,
  coalesce(f.last_message_timestamp, case when f.message_feed_id is null then c.last_message_at end) as last_message_timestamp,
  f.edited_at, coalesce(f.created_at, c.created_at) as created_at, coalesce(f.updated_at, c.updated_at) as updated_at`

export interface MessageFeedRow {
  messageFeedId: string
  channelId: string
  channelInternalId: string
  channelType: MessageFeed['channelType']
  name: string | null
  creatorId: string | null
  lastMessageId: string | null
  messagePreviewId: string | null
  childCount: number
  isDeleted: boolean
  lastMessageTimestamp: Date | null
  editedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** The shape of docs/interface/messages.md#message-feed. */
export function toMessageFeedView({ networkId }: Ctx, row: MessageFeedRow): MessageFeed {
  return {
    messageFeedId: row.messageFeedId,
    channelId: row.channelId,
    channelPublicId: row.channelId,
    channelType: row.channelType,
    name: row.name ?? undefined,
    creatorId: row.creatorId ?? undefined,
    path: messageFeedPath(networkId, row.channelInternalId, row.messageFeedId),
    lastMessageId: row.lastMessageId ?? undefined,
    messagePreviewId: row.messagePreviewId ?? undefined,
    childCount: row.childCount,
    isDeleted: row.isDeleted,
    createdAt: timestampOf(row.createdAt),
    updatedAt: timestampOf(row.updatedAt),
    lastMessageTimestamp: timestampIfAny(row.lastMessageTimestamp),
    editedAt: timestampIfAny(row.editedAt),
  }
}
