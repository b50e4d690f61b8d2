import { z } from 'zod'
import { RoomStatus } from '#server/core/prisma/enums.ts'
import { Dates, field, Id, optional, otherwise } from '#server/modules/integrations/imports/records/fields.ts'
import { recordKind } from '#server/modules/integrations/imports/records/record-kind.ts'

export const room = recordKind({
  stage: 1,
  table: 'room',
  id: ['room_id'],
  schema: z.object({
    roomId: Id,
    roomType: field.name,
    targetType: field.name,
    targetId: field.id,
    referenceType: field.name,
    referenceId: field.id,
    liveChannelId: field.id,
    liveChatEnabled: field.flag,
    title: field.text,
    description: field.text,
    thumbnailFileId: field.id,
    status: otherwise('idle', z.enum(RoomStatus)),
    livePlaybackUrl: field.url,
    liveThumbnailUrl: field.url,
    parentRoomId: field.id,
    childRoomIds: field.ids,
    createdBy: field.userId,
    deletedBy: field.userId,
    participants: field.objects,
    recordedPlaybackInfos: field.objects,
    durationSeconds: optional(z.int32().min(0)),
    moderation: field.object,
    metadata: field.object,
    isDeleted: field.flag,
    liveAt: field.time,
    endedAt: field.time,
    recordedAt: field.time,
    deletedAt: field.time,
    ...Dates,
  }),
  toRow: ({ roomType, ...room }) => ({ ...room, type: roomType }),
})
