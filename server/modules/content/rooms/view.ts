import type { Ctx } from '#server/core/ctx.ts'
import { sql } from '#server/core/db.ts'
import { present } from '#server/core/present.ts'
import { roomPath } from '#server/core/record-path.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import type { Room } from '#server/modules/content/rooms/schema.ts'

/** What `toRoomView` reads, selected from `room r` and its creator, `network_user u`. */
export const ROOM_COLUMNS = sql`
  r.room_id, r.internal_id, r.type, r.target_id, r.target_type,
  r.reference_type, r.reference_id, r.live_channel_id, r.title, r.description,
  r.thumbnail_file_id, r.status, r.live_playback_url, r.live_thumbnail_url,
  r.parent_room_id, r.created_by, u.internal_id as creator_internal_id, r.deleted_by,
  r.live_chat_enabled, r.is_deleted, r.participants,
  r.recorded_playback_infos, r.duration_seconds, r.moderation,
  r.child_room_ids, r.created_at, r.updated_at, r.live_at,
  r.ended_at, r.recorded_at, r.deleted_at, r.metadata`

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
    createdAt: timestampOf(row.createdAt),
    updatedAt: timestampOf(row.updatedAt),
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
      liveAt: row.liveAt && timestampOf(row.liveAt),
      endedAt: row.endedAt && timestampOf(row.endedAt),
      recordedAt: row.recordedAt && timestampOf(row.recordedAt),
      deletedAt: row.deletedAt && timestampOf(row.deletedAt),
      metadata: row.metadata,
    }),
  }
}
