import type { Ctx } from '#server/core/ctx.ts'
import { sql } from '#server/core/db.ts'
import { present } from '#server/core/present.ts'
import { channelPath } from '#server/core/record-path.ts'
import { eachOnce, permissionsOf } from '#server/core/role-permissions.ts'
import { timestampIfAny, timestampOf } from '#server/core/wire/timestamp.ts'
import { counted } from '#server/modules/ledger/counts/counted.ts'
import type { Channel, ChannelUser, MessageFeedInfo, MessagePreview } from '#server/modules/spaces/channels/schema.ts'

/** What `toChannelView` reads, selected from `channel c`. */
export const CHANNEL_COLUMNS = sql`
  c.channel_id, c.internal_id, c.type, c.display_name, c.avatar_file_id,
  c.is_public, c.is_distinct, c.is_rate_limited, c.rate_limit,
  c.rate_limit_window, c.rate_limit_timeout, c.mute_timeout,
  c.message_auto_delete_enabled, c.auto_delete_message_by_flag_limit,
  c.notification_mode, c.tags, c.metadata, c.message_preview_id,
  c.attached_post_id, c.attached_video_stream_id, c.attached_room_id,
  c.pinned_message_id, c.pinned_by, c.pinned_at, c.is_deleted,
  c.last_activity, c.last_message_at, c.created_at, c.updated_at,
  ${counted('channel_members', sql`c.channel_id`)} as member_count, ${counted('channel_messages', sql`c.channel_id`)} as message_count`

export interface ChannelRow {
  channelId: string
  internalId: string
  type: Channel['type']
  displayName: string | null
  avatarFileId: string | null
  isPublic: boolean
  isDistinct: boolean
  isRateLimited: boolean
  rateLimit: number | null
  rateLimitWindow: number | null
  rateLimitTimeout: Date | null
  muteTimeout: Date | null
  messageAutoDeleteEnabled: boolean
  autoDeleteMessageByFlagLimit: number | null
  notificationMode: Channel['notificationMode']
  tags: string[]
  metadata: Record<string, unknown> | null
  messagePreviewId: string | null
  attachedPostId: string | null
  attachedVideoStreamId: string | null
  attachedRoomId: string | null
  pinnedMessageId: string | null
  pinnedBy: string | null
  pinnedAt: Date | null
  isDeleted: boolean
  lastActivity: Date
  lastMessageAt: Date | null
  createdAt: Date
  updatedAt: Date
  memberCount: number
  messageCount: number
}

/** The parts of a channel that depend on the caller and the time. */
export interface SeenOfChannel {
  /** Whether the caller may read its messages: nobody else sees the last and the pinned one. */
  isReadable: boolean
  pinned: PreviewRow | undefined
  now: Date
}

/** The shape of docs/interface/channels.md#channel. */
export function toChannelView(
  { networkId }: Ctx,
  row: ChannelRow,
  { isReadable, pinned, now }: SeenOfChannel,
): Channel {
  return {
    channelId: row.channelId,
    _id: row.internalId,
    path: channelPath(networkId, row.internalId),
    channelInternalId: row.internalId,
    channelPublicId: row.channelId,
    createdAt: timestampOf(row.createdAt),
    updatedAt: timestampOf(row.updatedAt),
    lastActivity: timestampOf(row.lastActivity),
    lastMessageAt: timestampIfAny(row.lastMessageAt),
    muteTimeout: timestampIfAny(row.muteTimeout),
    rateLimitTimeout: timestampIfAny(row.rateLimitTimeout),
    isDistinct: row.isDistinct,
    isMuted: row.muteTimeout !== null && row.muteTimeout > now,
    isRateLimited: row.isRateLimited,
    messageAutoDeleteEnabled: row.messageAutoDeleteEnabled,
    isDeleted: row.isDeleted,
    isPublic: row.isPublic,
    metadata: row.metadata ?? undefined,
    type: row.type,
    tags: row.tags,
    rateLimit: row.rateLimit ?? undefined,
    rateLimitWindow: row.rateLimitWindow ?? undefined,
    autoDeleteMessageByFlagLimit: row.autoDeleteMessageByFlagLimit ?? undefined,
    memberCount: row.memberCount,
    messageCount: row.messageCount,
    displayName: row.displayName ?? undefined,
    avatarFileId: row.avatarFileId ?? undefined,
    messagePreviewId: isReadable ? (row.messagePreviewId ?? undefined) : undefined,
    notificationMode: row.notificationMode,
    attachedTo: attachedTo(row),
    pinnedMessage:
      isReadable && pinned
        ? {
            ...toMessagePreviewView(pinned),
            pinnedBy: row.pinnedBy ?? undefined,
            pinnedAt: timestampIfAny(row.pinnedAt),
          }
        : undefined,
  }
}

function attachedTo(row: ChannelRow): Channel['attachedTo'] {
  const attached = present({
    postId: row.attachedPostId,
    videoStreamId: row.attachedVideoStreamId,
    roomId: row.attachedRoomId,
  })
  return Object.keys(attached).length > 0 ? attached : undefined
}

/** What `toChannelUserView` reads, selected from `channel_user cu`, its `channel c` and its `network_user u`. */
export const CHANNEL_USER_COLUMNS = sql`
  cu.user_id, u.internal_id as user_internal_id, cu.channel_id, c.internal_id as channel_internal_id,
  cu.membership, cu.last_activity, cu.mute_timeout, cu.roles,
  ${permissionsOf(sql`cu.roles`)} as permissions,
  cu.read_to_segment, cu.last_mentioned_segment, cu.sort_name,
  cu.created_at, cu.updated_at`

export interface ChannelUserRow {
  userId: string
  userInternalId: string
  channelId: string
  channelInternalId: string
  membership: ChannelUser['membership']
  lastActivity: Date | null
  muteTimeout: Date | null
  roles: string[]
  permissions: string[]
  readToSegment: number
  lastMentionedSegment: number
  sortName: string
  createdAt: Date
  updatedAt: Date
}

/** The shape of docs/interface/channel-members.md#channel-user. */
export function toChannelUserView(row: ChannelUserRow, now: Date): ChannelUser {
  return {
    userId: row.userId,
    userInternalId: row.userInternalId,
    userPublicId: row.userId,
    channelId: row.channelId,
    channelInternalId: row.channelInternalId,
    channelPublicId: row.channelId,
    membership: row.membership,
    isBanned: row.membership === 'banned',
    lastActivity: timestampIfAny(row.lastActivity),
    muteTimeout: timestampIfAny(row.muteTimeout),
    createdAt: timestampOf(row.createdAt),
    updatedAt: timestampOf(row.updatedAt),
    roles: row.roles,
    permissions: eachOnce(row.permissions),
    readToSegment: row.readToSegment,
    lastMentionedSegment: row.lastMentionedSegment,
    isMuted: row.muteTimeout !== null && row.muteTimeout > now,
  }
}

/**
 * What `toMessagePreviewView` and `toMessageFeedInfoView` read, selected from `message m`, its `channel c` and, where there is one, its
 * `message_feed f`. A message without a feed is in its channel's main feed, whose id is the channel's internal id.
 */
export const PREVIEW_COLUMNS = sql`
  m.message_id, m.channel_id, coalesce(m.message_feed_id, c.internal_id) as message_feed_id,
  m.channel_segment as segment, m.type as data_type, m.data, m.user_id as creator_id, m.parent_id, m.file_id,
  m.is_deleted, m.created_at, m.updated_at, coalesce(f.name, c.display_name) as feed_name,
  coalesce(f.message_preview_id, m.message_id) as feed_preview_id, coalesce(f.created_at, c.created_at) as feed_created_at,
  coalesce(f.updated_at, c.updated_at) as feed_updated_at`

export interface PreviewRow {
  messageId: string
  channelId: string
  messageFeedId: string
  segment: number | null
  dataType: string
  data: Record<string, unknown> | null
  creatorId: string
  parentId: string | null
  fileId: string | null
  isDeleted: boolean
  createdAt: Date
  updatedAt: Date
  feedName: string | null
  feedPreviewId: string
  feedCreatedAt: Date
  feedUpdatedAt: Date
}

/** A message as the channel envelope shows it (docs/interface/channels.md#channel-envelope). */
export function toMessagePreviewView(row: PreviewRow): MessagePreview {
  return {
    messageId: row.messageId,
    channelId: row.channelId,
    messageFeedId: row.messageFeedId,
    segment: row.segment ?? undefined,
    dataType: row.dataType,
    data: row.isDeleted ? undefined : (row.data ?? undefined),
    creatorId: row.creatorId,
    creatorPublicId: row.creatorId,
    parentId: row.parentId ?? undefined,
    isDeleted: row.isDeleted,
    createdAt: timestampOf(row.createdAt),
    updatedAt: timestampOf(row.updatedAt),
  }
}

/** The feed of a previewed message (docs/interface/channels.md#channel-envelope). */
export function toMessageFeedInfoView(row: PreviewRow): MessageFeedInfo {
  return {
    messageFeedId: row.messageFeedId,
    name: row.feedName ?? undefined,
    messagePreviewId: row.feedPreviewId,
    createdAt: timestampOf(row.feedCreatedAt),
    updatedAt: timestampOf(row.feedUpdatedAt),
  }
}
