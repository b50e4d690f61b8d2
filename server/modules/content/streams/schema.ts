import { z } from 'zod'
import { StoredObject, Time } from '#server/core/wire/schema.ts'

/** A stream (docs/interface/webhooks.md#streams). Fields without a value are left out, never null. */
export const VideoStreaming = z
  .object({
    streamId: z.string(),
    userId: z.string().optional(),
    userPublicId: z.string().optional(),
    userInternalId: z.string().optional(),
    thumbnailFileId: z.string().optional(),
    title: z.string().optional(),
    status: z.enum(['idle', 'live', 'ended', 'recorded']),
    description: z.string().optional(),
    moderationId: z.string().optional(),
    resolution: z.string().optional(),
    postId: z.string().optional(),
    channelId: z.string().optional(),
    parentStreamId: z.string().optional(),
    isLive: z.boolean(),
    isDeleted: z.boolean(),
    channelEnabled: z.boolean(),
    isParent: z.boolean(),
    platform: StoredObject.optional(),
    startedAt: Time.optional(),
    endedAt: Time.optional(),
    createdAt: Time,
    updatedAt: Time,
    metadata: StoredObject.optional(),
    streamerUrl: StoredObject.optional(),
    recordings: z.array(StoredObject).optional(),
    watcherUrl: StoredObject.optional(),
    childStreamIds: z.array(z.string()),
  })
  .meta({ id: 'VideoStreaming' })
export type VideoStreaming = z.output<typeof VideoStreaming>
