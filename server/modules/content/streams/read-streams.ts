import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import type { VideoStreaming } from '#server/modules/content/streams/schema.ts'
import { STREAM_COLUMNS, type StreamRow, toStreamView } from '#server/modules/content/streams/view.ts'

export interface StreamsOfPosts {
  streams: VideoStreaming[]
  /** The parts of these streams. */
  children: VideoStreaming[]
}

/** The streams that belong to these posts or are shown in them; deleted ones are left out. Uses stream_post_id_idx, stream_pkey and stream_parent. */
export async function readStreams(
  ctx: Ctx,
  shown: { postIds: string[]; streamIds: string[] },
): Promise<StreamsOfPosts> {
  if (shown.postIds.length + shown.streamIds.length === 0) return { streams: [], children: [] }
  const rows = await query<StreamRow & { isChild: boolean }>(
    ctx,
    sql`
    with shown as (
      select * from stream s
      where (s.post_id = any(${shown.postIds}) or s.stream_id = any(${shown.streamIds})) and not s.is_deleted),
    part as (
      select s.* from stream s
      where (s.parent_stream_id in (select stream_id from shown) or s.stream_id in (select unnest(child_stream_ids) from shown))
        and s.stream_id not in (select stream_id from shown) and not s.is_deleted)
    select ${STREAM_COLUMNS}, s.is_child
    from (select *, false as is_child from shown union all select *, true from part) s
    left join network_user u on u.user_id = s.user_id
    order by s.created_at, s.stream_id`,
  )
  const views = (isChild: boolean) => rows.filter((row) => row.isChild === isChild).map(toStreamView)
  return { streams: views(false), children: views(true) }
}
