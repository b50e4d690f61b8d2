import type { Ctx } from '#server/core/ctx.ts'
import { execute, sql } from '#server/core/db.ts'

/**
 * Folds the open deltas of what each community holds by day into the totals, and removes days that hold nothing. Triggers of `comment` insert
 * the deltas.
 */
export async function foldHeldDays(ctx: Ctx): Promise<void> {
  await execute(
    ctx,
    sql`
    with gone as (delete from held_day_delta returning community_id, day, delta),
    sums as (select community_id, day, sum(delta)::int as delta from gone group by community_id, day)
    merge into held_day d using sums s on d.community_id = s.community_id and d.day = s.day
    when matched and d.total + s.delta = 0 then delete
    when matched then update set total = d.total + s.delta
    when not matched and s.delta <> 0 then insert (community_id, day, total) values (s.community_id, s.day, s.delta)`,
  )
}
