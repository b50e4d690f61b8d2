import { sql } from '#server/core/db.ts'
import { present } from '#server/core/present.ts'
import type { VideoStreaming } from '#server/modules/content/streams/schema.ts'

/** What `toStreamView` reads, selected from `stream s` and its owner, `network_user u`. */
export const STREAM_COLUMNS = sql`
  s.stream_id as "streamId", s.user_id as "userId", u.internal_id as "userInternalId", s.thumbnail_file_id as "thumbnailFileId", s.title,
  s.status, s.description, s.moderation_id as "moderationId", s.resolution, s.post_id as "postId", s.channel_id as "channelId",
  s.parent_stream_id as "parentStreamId", s.is_live as "isLive", s.is_deleted as "isDeleted", s.channel_enabled as "channelEnabled",
  s.is_parent as "isParent", s.platform, s.started_at as "startedAt", s.ended_at as "endedAt", s.created_at as "createdAt",
  s.updated_at as "updatedAt", s.metadata, s.streamer_url as "streamerUrl", s.recordings, s.watcher_url as "watcherUrl",
  s.child_stream_ids as "childStreamIds"`

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
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
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
      startedAt: row.startedAt?.toISOString(),
      endedAt: row.endedAt?.toISOString(),
      metadata: row.metadata,
      streamerUrl: row.streamerUrl,
      recordings: row.recordings,
      watcherUrl: row.watcherUrl,
    }),
  }
}
