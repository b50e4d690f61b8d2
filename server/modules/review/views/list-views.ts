import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { atMost } from '#server/modules/review/queue/held.ts'
import { reviewsIn, reviewsSomewhere } from '#server/modules/review/queue/reviewed-spaces.ts'
import type { SavedView } from '#server/modules/review/views/schema.ts'
import { toSavedView, type ViewRow, viewColumns } from '#server/modules/review/views/view.ts'
import { isViewVisible } from '#server/modules/review/views/visible.ts'

/** More wouldn't be looked through; those of a member come first. */
const QUEUES_LISTED = 200

const QUEUE_FILTERS = sql`jsonb_strip_nulls(jsonb_build_object('view', 'waiting', 'order', 'newest', 'queueId', q.queue_id,
  'communityId', q.community_id))`

/**
 * The named queues of which the caller is a member, their views of the queue, the shared ones, and the other named queues that they review, each by
 * name. Uses named_queue_member_pkey, saved_view_owner_id_idx and saved_view_shared.
 */
export async function listViews(ctx: Ctx): Promise<SavedView[]> {
  const rows = await query<ViewRow>(
    ctx,
    sql`
    select * from (
      select ${viewColumns(ctx)}, null as is_member from saved_view v
      where v.page = 'queue' and ${isViewVisible(ctx)}
      union all (
        select q.queue_id, q.name, ${QUEUE_FILTERS}, true, false, false, mine.user_id is not null as is_member
        from named_queue q
        left join named_queue_member mine on mine.queue_id = q.queue_id and mine.user_id = ${actingUserId(ctx) ?? null}
        where case when q.community_id is null then ${reviewsSomewhere(ctx)} else exists (
          select from community k
          where k.community_id = q.community_id and not k.is_deleted and ${reviewsIn(ctx, sql`k.community_id`)}) end
        order by is_member desc, lower(q.name), q.queue_id ${atMost(QUEUES_LISTED)})) v
    order by v.is_member is not true, v.is_member is not null, v.is_shared, lower(v.name), v.view_id`,
  )
  return rows.map((row) => toSavedView(ctx, row))
}
