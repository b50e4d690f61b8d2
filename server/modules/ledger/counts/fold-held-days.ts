import type { Ctx } from '#server/core/ctx.ts'
import { execute, type Sql, sql } from '#server/core/db.ts'

/**
 * Folds the open deltas of what each community holds by day into the totals, and removes days that hold nothing. Triggers of `comment` insert
 * the deltas. They are found, and totals looked up and changed, by key, however many the planner expects: only one sequencer at a time does this.
 */
export async function foldHeldDays(ctx: Ctx): Promise<void> {
  await execute(
    ctx,
    sql`
    with gone as (delete from held_day_delta where delta_id > 0 returning community_id, day, delta),
    sums as (select community_id, day, sum(delta)::int as delta from gone group by community_id, day),
    days as materialized (
      select s.community_id, s.day, ${folded(sql`d.ctid`)} as place, coalesce(${folded(sql`d.total`)}, 0) + s.delta as total from sums s),
    emptied as (delete from held_day where ctid = any(array(select place from days where total = 0)))
    insert into held_day (community_id, day, total) select community_id, day, total from days where total <> 0
    on conflict (community_id, day) do update set total = excluded.total`,
  )
}

/** A column of the day's row, if there is one. Uses held_day_pkey. */
function folded(column: Sql): Sql {
  return sql`(select ${column} from held_day d where d.community_id = s.community_id and d.day = s.day)`
}
