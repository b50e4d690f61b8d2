import type { Ctx } from '#server/core/ctx.ts'
import { sql } from '#server/core/db.ts'
import { present } from '#server/core/present.ts'
import { roomPath } from '#server/core/record-path.ts'
import type { Room } from '#server/modules/content/rooms/schema.ts'

/** What `toRoomView` reads, selected from `room r` and its creator, `network_user u`. */
export const ROOM_COLUMNS = sql`
  r.room_id as "roomId", r.internal_id as "internalId", r.type, r.target_id as "targetId", r.target_type as "targetType",
  r.reference_type as "referenceType", r.reference_id as "referenceId", r.live_channel_id as "liveChannelId", r.title, r.description,
  r.thumbnail_file_id as "thumbnailFileId", r.status, r.live_playback_url as "livePlaybackUrl", r.live_thumbnail_url as "liveThumbnailUrl",
  r.parent_room_id as "parentRoomId", r.created_by as "createdBy", u.internal_id as "creatorInternalId", r.deleted_by as "deletedBy",
  r.live_chat_enabled as "liveChatEnabled", r.is_deleted as "isDeleted", r.participants,
  r.recorded_playback_infos as "recordedPlaybackInfos", r.duration_seconds as "durationSeconds", r.moderation,
  r.child_room_ids as "childRoomIds", r.created_at as "createdAt", r.updated_at as "updatedAt", r.live_at as "liveAt",
  r.ended_at as "endedAt", r.recorded_at as "recordedAt", r.deleted_at as "deletedAt", r.metadata`

export interface RoomRow {
  roomId: string
  internalId: string
  type: string | null
  targetId: string | null
  targetType: string | null
  referenceType: string | null
  referenceId: string | null
  liveChannelId: string | null
  title: string | null
  description: string | null
  thumbnailFileId: string | null
  status: Room['status']
  livePlaybackUrl: string | null
  liveThumbnailUrl: string | null
  parentRoomId: string | null
  createdBy: string | null
  creatorInternalId: string | null
  deletedBy: string | null
  liveChatEnabled: boolean
  isDeleted: boolean
  participants: Record<string, unknown>[] | null
  recordedPlaybackInfos: Record<string, unknown>[] | null
  durationSeconds: number | null
  moderation: Record<string, unknown> | null
  childRoomIds: string[]
  createdAt: Date
  updatedAt: Date
  liveAt: Date | null
  endedAt: Date | null
  recordedAt: Date | null
  deletedAt: Date | null
  metadata: Record<string, unknown> | null
}

/** The shape of docs/interface/webhooks.md#rooms. */
export function toRoomView({ networkId }: Ctx, row: RoomRow): Room {
  return {
    roomId: row.roomId,
    _id: row.internalId,
    path: roomPath(networkId, row.internalId),
    status: row.status,
    liveChatEnabled: row.liveChatEnabled,
    isDeleted: row.isDeleted,
    participants: row.participants ?? [],
    recordedPlaybackInfos: row.recordedPlaybackInfos ?? [],
    childRoomIds: row.childRoomIds,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    ...present({
      type: row.type,
      targetId: row.targetId,
      targetType: row.targetType,
      referenceType: row.referenceType,
      referenceId: row.referenceId,
      liveChannelId: row.liveChannelId,
      title: row.title,
      description: row.description,
      thumbnailFileId: row.thumbnailFileId,
      livePlaybackUrl: row.livePlaybackUrl,
      liveThumbnailUrl: row.liveThumbnailUrl,
      parentRoomId: row.parentRoomId,
      createdBy: row.createdBy,
      creatorInternalId: row.creatorInternalId,
      deletedBy: row.deletedBy,
      durationSeconds: row.durationSeconds,
      moderation: row.moderation,
      liveAt: row.liveAt?.toISOString(),
      endedAt: row.endedAt?.toISOString(),
      recordedAt: row.recordedAt?.toISOString(),
      deletedAt: row.deletedAt?.toISOString(),
      metadata: row.metadata,
    }),
  }
}
