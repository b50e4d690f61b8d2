import { NO_PREPARE } from '#server/core/database/statement-names.ts'
import { type Sql, sql } from '#server/core/db.ts'

/** The held items with the key in this column, counted one by one in the indexes comment_alike and post_alike. */
const inIndexes = (key: Sql): Sql => sql`(
  (select count(*) from comment c where c.text_key = ${key} and c.approval_status = 'pending' and not c.is_deleted)
  + (select count(*) from post p where p.text_key = ${key} and p.feed_type = 'reviewing' and not p.is_deleted
    and p.parent_post_id is null))::int`

/**
 * How many held items have this `text_key`, for a row that is held itself. Exact in the statement's snapshot: a key without a total had one at
 * most when it was folded, so that only those with open deltas are looked up in the indexes. Subqueries, as most keys have neither: a join
 * would carry all columns of the row on. Uses held_text_pkey and held_text_delta_text_key_idx.
 */
export const heldAlike = (key: Sql): Sql => sql`coalesce(
    (select alike.total + coalesce((select sum(change.delta) from held_text_delta change where change.text_key = alike.text_key), 0)
      from held_text alike where alike.text_key = ${key}),
    (select ${inIndexes(key)} where exists (select from held_text_delta change where change.text_key = ${key})),
    1)::int`

/**
 * Folds the open deltas of up to `limit` held texts, the oldest first, into their totals, all deltas of each: a query for one statement, which
 * returns how many texts it were. Only what is held more than once has a row. What had none was held once at most: only if there is more of it
 * now, it is counted in the indexes, in the same snapshot; that is one more than the deltas at most. Only one sequencer at a time does this.
 * Planned each time: with the plan of an empty database, a batch after an import of 20,000 comments took 14 s instead of 6 ms, and no event was
 * published while it ran.
 */
export const foldHeldTextsOf = (limit: number): Sql => sql`
  ${NO_PREPARE} with gone as (
    delete from held_text_delta where text_key = any(array(
      select text_key from (select text_key from held_text_delta order by delta_id limit ${limit}) oldest group by text_key))
    returning text_key, delta),
  sums as (select text_key, sum(delta)::int as delta from gone group by text_key),
  counted as materialized (
    select s.text_key, coalesce(
      (select h.total + s.delta from held_text h where h.text_key = s.text_key),
      case when s.delta > 0 then ${inIndexes(sql`s.text_key`)} else 0 end) as total
    from sums s),
  ended as (delete from held_text where text_key = any(array(select text_key from counted where total < 2))),
  written as (
    insert into held_text (text_key, total) select text_key, total from counted where total > 1
    on conflict (text_key) do update set total = excluded.total)
  select count(*)::int as folded from counted`
