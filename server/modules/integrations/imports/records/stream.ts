import { z } from 'zod'
import { StreamStatus } from '#server/core/prisma/enums.ts'
import {
  AnyObject,
  Dates,
  Flag,
  Id,
  Ids,
  Name,
  optional,
  otherwise,
  Text,
  Time,
  UserId,
} from '#server/modules/integrations/imports/records/fields.ts'
import { recordKind } from '#server/modules/integrations/imports/records/record-kind.ts'

export const stream = recordKind({
  stage: 1,
  table: 'stream',
  id: ['stream_id'],
  schema: z.object({
    streamId: Id,
    userId: optional(UserId),
    thumbnailFileId: optional(Id),
    title: optional(Text),
    description: optional(Text),
    status: otherwise('idle', z.enum(StreamStatus)),
    moderationId: optional(Id),
    resolution: optional(Name),
    postId: optional(Id),
    channelId: optional(Id),
    parentStreamId: optional(Id),
    childStreamIds: Ids,
    isLive: Flag,
    isParent: Flag,
    isDeleted: Flag,
    channelEnabled: Flag,
    platform: optional(AnyObject),
    streamerUrl: optional(AnyObject),
    watcherUrl: optional(AnyObject),
    recordings: optional(z.array(AnyObject)),
    metadata: optional(AnyObject),
    startedAt: optional(Time),
    endedAt: optional(Time),
    ...Dates,
  }),
  toRow: (stream) => stream,
})
