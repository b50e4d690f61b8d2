import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'

/**
 * Folds open deltas into the totals; readers see either the deltas or their sum. Returns how many it folded. Finds them by the primary key:
 * the table may have few rows and many pages.
 */
export async function foldDeltas(ctx: Ctx): Promise<number> {
  const folded = await query<{ count: number }>(
    ctx,
    sql`
    with gone as (delete from tally_delta where delta_id > 0 returning kind, subject_id, delta),
    sums as (select kind, subject_id, sum(delta) as delta, count(*)::int as count from gone group by kind, subject_id),
    totals as (
      insert into tally (kind, subject_id, total) select kind, subject_id, delta from sums
      on conflict (kind, subject_id) do update set total = tally.total + excluded.total)
    select coalesce(sum(count), 0)::int as count from sums`,
  )
  return folded[0]?.count ?? 0
}
