import { z } from 'zod'
import { StreamStatus } from '#server/core/prisma/enums.ts'
import { Dates, field, Id, otherwise } from '#server/modules/integrations/imports/records/fields.ts'
import { recordKind } from '#server/modules/integrations/imports/records/record-kind.ts'

export const stream = recordKind({
  stage: 1,
  table: 'stream',
  id: ['stream_id'],
  schema: z.object({
    streamId: Id,
    userId: field.userId,
    thumbnailFileId: field.id,
    title: field.text,
    description: field.text,
    status: otherwise('idle', z.enum(StreamStatus)),
    moderationId: field.id,
    resolution: field.name,
    postId: field.id,
    channelId: field.id,
    parentStreamId: field.id,
    childStreamIds: field.ids,
    isLive: field.flag,
    isParent: field.flag,
    isDeleted: field.flag,
    channelEnabled: field.flag,
    platform: field.object,
    streamerUrl: field.object,
    watcherUrl: field.object,
    recordings: field.objects,
    metadata: field.object,
    startedAt: field.time,
    endedAt: field.time,
    ...Dates,
  }),
  toRow: (stream) => stream,
})
