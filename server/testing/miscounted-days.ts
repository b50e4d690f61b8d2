import type { Pool } from '#server/core/database/db-types.ts'

interface MiscountedDay {
  communityId: string
  day: string
  counted: number
  held: number
}

/** The days of held comments whose count, folded and open, differs from the rows; none in a correct database. */
export async function miscountedDays(pool: Pool): Promise<MiscountedDay[]> {
  const { rows } = await pool.query<MiscountedDay>(`
    with counted as (
      select community_id, day, sum(total)::int as total from (
        select community_id, day, total from held_day union all select community_id, day, delta from held_day_delta) days
      group by 1, 2),
    held as (
      select community_id, (queued_at at time zone 'UTC')::date as day, count(*)::int as total from comment
      where approval_status = 'pending' and not is_deleted and community_id is not null group by 1, 2)
    select community_id as "communityId", day::text, coalesce(counted.total, 0) as counted, coalesce(held.total, 0) as held
    from counted full join held using (community_id, day)
    where coalesce(counted.total, 0) <> coalesce(held.total, 0)`)
  return rows
}
