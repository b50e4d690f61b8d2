import type { Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { type HeldType, IS_HELD, isOfType } from '#server/modules/content/items/held.ts'
import { visibleSpaces } from '#server/modules/review/queue/visible-spaces.ts'
import type { TargetState } from '#server/modules/review/targets/schema.ts'

const DAY_MS = 86_400_000

/**
 * How the visible communities that have a target meet it: the share decided in time, among what was decided in the last 24
 * hours and what is overdue. Counts no more pending items than it takes to miss the target, so that a backlog of millions is
 * not scanned. Uses decision_on_held, review_item_in_community.
 */
export function readTargetStates(ctx: Ctx): Promise<TargetState[]> {
  const now = ctx.now()
  const since = new Date(now.getTime() - DAY_MS)
  const dueBy = sql`${now}::timestamptz - make_interval(mins => t.within_minutes)`
  return query<TargetState>(
    ctx,
    sql`
    select t.community_id, t.within_minutes, t.share_percent,
      made.in_time * 100 < t.share_percent * (made.decided + late.count) as is_missed
    from service_target t join ${visibleSpaces(ctx, undefined)} space on space.community_id = t.community_id
    cross join lateral (
      select count(*) as decided, count(*) filter (where d.decided_at - d.held_at <= make_interval(mins => t.within_minutes)) as in_time
      from decision d
      where d.community_id = t.community_id and d.held_at is not null and d.undone_at is null and d.decided_at > ${since}
        and (space.comments and d.subject_type = 'comment' or space.posts and d.subject_type = 'post')) made
    cross join lateral (
      select count(*) as count from (
        ${overdue('comment', dueBy)} union all ${overdue('post', dueBy)}
        limit made.in_time * 100 / t.share_percent + 1) waits) late
    order by t.community_id`,
  )
}

const overdue = (type: HeldType, dueBy: Sql) => sql`(
  select from review_item i
  where space.${sql.raw(`${type}s`)} and i.community_id = t.community_id and ${isOfType(type)} and ${IS_HELD} and i.placed_at <= ${dueBy})`
