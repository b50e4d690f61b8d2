import { z } from 'zod'
import { RecordPath, StoredObject, Time } from '#server/core/wire/schema.ts'

/** A room (docs/interface/webhooks.md#rooms). Fields without a value are left out, never null. */
export const Room = z
  .object({
    roomId: z.string(),
    _id: z.string(),
    path: RecordPath,
    type: z.string().optional(),
    targetId: z.string().optional(),
    targetType: z.string().optional(),
    referenceType: z.string().optional(),
    referenceId: z.string().optional(),
    liveChannelId: z.string().optional(),
    title: z.string().optional(),
    description: z.string().optional(),
    thumbnailFileId: z.string().optional(),
    status: z.enum(['idle', 'live', 'waiting_reconnect', 'ended', 'recorded', 'terminated']),
    livePlaybackUrl: z.string().optional(),
    liveThumbnailUrl: z.string().optional(),
    parentRoomId: z.string().optional(),
    createdBy: z.string().optional(),
    creatorInternalId: z.string().optional(),
    deletedBy: z.string().optional(),
    liveChatEnabled: z.boolean(),
    isDeleted: z.boolean(),
    participants: z.array(StoredObject),
    recordedPlaybackInfos: z.array(StoredObject),
    durationSeconds: z.int().optional(),
    moderation: StoredObject.optional(),
    childRoomIds: z.array(z.string()),
    createdAt: Time,
    updatedAt: Time,
    liveAt: Time.optional(),
    endedAt: Time.optional(),
    recordedAt: Time.optional(),
    deletedAt: Time.optional(),
    metadata: StoredObject.optional(),
  })
  .meta({ id: 'Room' })
export type Room = z.output<typeof Room>
