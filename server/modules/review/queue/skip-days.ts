import { type Sql, sql } from '#server/core/db.ts'

/** Where a page far down a community's queue starts, as SQL. */
export interface SkippedDays {
  /** A common table expression, part of the statement that reads the page: what it counts is exact for the rows of that statement. */
  table: Sql
  /** A condition on `comment c` that leaves out the skipped days. */
  condition: Sql
  /** How many of the comments that meet the condition are still to be skipped. */
  offset: Sql
}

/**
 * Skips whole days (UTC) of the queue, newest first, by their counts: the comments of one day at most are left to be skipped one by one.
 * Only for the whole queue of a community. Uses held_day_pkey and held_day_delta_community_id_day_idx.
 */
export function skipDays(communityId: string, skip: number): SkippedDays {
  return {
    table: sql`
      first_day as materialized (
        select day, newer from (
          select day, sum(sum(total)) over (order by day desc) - sum(total) as newer from (
            select day, total from held_day where community_id = ${communityId}
            union all
            select day, delta from held_day_delta where community_id = ${communityId}) counted
          group by day) days
        where newer <= ${skip} order by day limit 1)`,
    condition: sql`c.queued_at < (select (day + 1)::timestamp at time zone 'UTC' from first_day)`,
    offset: sql`(select ${skip} - newer from first_day)`,
  }
}
