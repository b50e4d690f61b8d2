import { z } from 'zod'
import { ChannelType, NotificationMode } from '#server/core/prisma/enums.ts'
import { Dates, field, Id, optional, otherwise } from '#server/modules/integrations/imports/records/fields.ts'
import { recordKind } from '#server/modules/integrations/imports/records/record-kind.ts'

export const channel = recordKind({
  stage: 1,
  table: 'channel',
  id: ['channel_id'],
  schema: z.object({
    channelId: Id,
    channelType: otherwise('community', z.enum(ChannelType)),
    displayName: field.name,
    avatarFileId: field.id,
    isPublic: otherwise(true, z.boolean()),
    isDistinct: field.flag,
    isRateLimited: field.flag,
    rateLimit: optional(z.int32().min(0)),
    rateLimitWindow: optional(z.int32().min(0)),
    rateLimitTimeout: field.time,
    muteTimeout: field.time,
    messageAutoDeleteEnabled: field.flag,
    autoDeleteMessageByFlagLimit: optional(z.int32().min(1).max(1_000)),
    notificationMode: otherwise('default', z.enum(NotificationMode)),
    tags: field.tags,
    metadata: field.object,
    messagePreviewId: field.id,
    attachedTo: optional(z.object({ postId: field.id, videoStreamId: field.id, roomId: field.id })),
    pinnedMessage: optional(z.object({ messageId: Id, pinnedBy: field.userId, pinnedAt: field.time })),
    isDeleted: field.flag,
    lastActivity: field.time,
    lastMessageAt: field.time,
    ...Dates,
  }),
  toRow: ({ channelType, attachedTo, pinnedMessage, ...channel }) => ({
    ...channel,
    type: channelType,
    attachedPostId: attachedTo?.postId ?? null,
    attachedVideoStreamId: attachedTo?.videoStreamId ?? null,
    attachedRoomId: attachedTo?.roomId ?? null,
    pinnedMessageId: pinnedMessage?.messageId ?? null,
    pinnedBy: pinnedMessage?.pinnedBy ?? null,
    pinnedAt: pinnedMessage?.pinnedAt ?? null,
    lastActivity: channel.lastActivity ?? channel.lastMessageAt ?? channel.createdAt,
  }),
})
