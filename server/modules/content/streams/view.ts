import { sql } from '#server/core/db.ts'
import { present } from '#server/core/present.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import type { VideoStreaming } from '#server/modules/content/streams/schema.ts'

/** What `toStreamView` reads, selected from `stream s` and its owner, `network_user u`. */
export const STREAM_COLUMNS = sql`
  s.stream_id, s.user_id, u.internal_id as user_internal_id, s.thumbnail_file_id, s.title,
  s.status, s.description, s.moderation_id, s.resolution, s.post_id, s.channel_id,
  s.parent_stream_id, s.is_live, s.is_deleted, s.channel_enabled,
  s.is_parent, s.platform, s.started_at, s.ended_at, s.created_at,
  s.updated_at, s.metadata, s.streamer_url, s.recordings, s.watcher_url,
  s.child_stream_ids`

export interface StreamRow {
  streamId: string
  userId: string | null
  userInternalId: string | null
  thumbnailFileId: string | null
  title: string | null
  status: VideoStreaming['status']
  description: string | null
  moderationId: string | null
  resolution: string | null
  postId: string | null
  channelId: string | null
  parentStreamId: string | null
  isLive: boolean
  isDeleted: boolean
  channelEnabled: boolean
  isParent: boolean
  platform: Record<string, unknown> | null
  startedAt: Date | null
  endedAt: Date | null
  createdAt: Date
  updatedAt: Date
  metadata: Record<string, unknown> | null
  streamerUrl: Record<string, unknown> | null
  recordings: Record<string, unknown>[] | null
  watcherUrl: Record<string, unknown> | null
  childStreamIds: string[]
}

/** The shape of docs/interface/webhooks.md#streams. */
export function toStreamView(row: StreamRow): VideoStreaming {
  return {
    streamId: row.streamId,
    status: row.status,
    isLive: row.isLive,
    isDeleted: row.isDeleted,
    channelEnabled: row.channelEnabled,
    isParent: row.isParent,
    createdAt: timestampOf(row.createdAt),
    updatedAt: timestampOf(row.updatedAt),
    childStreamIds: row.childStreamIds,
    ...present({
      userId: row.userId,
      userPublicId: row.userId,
      userInternalId: row.userInternalId,
      thumbnailFileId: row.thumbnailFileId,
      title: row.title,
      description: row.description,
      moderationId: row.moderationId,
      resolution: row.resolution,
      postId: row.postId,
      channelId: row.channelId,
      parentStreamId: row.parentStreamId,
      platform: row.platform,
      startedAt: row.startedAt && timestampOf(row.startedAt),
      endedAt: row.endedAt && timestampOf(row.endedAt),
      metadata: row.metadata,
      streamerUrl: row.streamerUrl,
      recordings: row.recordings,
      watcherUrl: row.watcherUrl,
    }),
  }
}
