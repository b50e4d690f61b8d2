import { type Sql, sql } from '#server/core/db.ts'

/** The held items with the key in this column, counted one by one in the indexes comment_alike and post_alike. */
const inIndexes = (key: Sql): Sql => sql`(
  (select count(*) from comment c where c.text_key = ${key} and c.approval_status = 'pending' and not c.is_deleted)
  + (select count(*) from post p where p.text_key = ${key} and p.feed_type = 'reviewing' and not p.is_deleted
    and p.parent_post_id is null))::int`

/**
 * How many held items have the key in this column, for a row that is held itself, as an SQL expression: exact in the statement's snapshot.
 * A key without a total had one at most when it was folded, so that only its open deltas have to be looked up. Uses held_text_pkey and
 * held_text_delta_text_key_idx.
 */
export function heldAlike(key: Sql): Sql {
  return sql`coalesce(
    (select h.total + coalesce((select sum(d.delta) from held_text_delta d where d.text_key = h.text_key), 0)
      from held_text h where h.text_key = ${key}),
    case when exists (select from held_text_delta d where d.text_key = ${key}) then ${inIndexes(key)} else 1 end)::int`
}

/**
 * Folds the open deltas of held texts into their totals: a query for one statement. Only what is held more than once has a row. What had none
 * is counted in the index, in the same snapshot; that is one more than the deltas at most. Only one sequencer at a time does this.
 */
export const FOLD_HELD_TEXTS = sql`
  with gone as (delete from held_text_delta returning text_key, delta),
  sums as (select text_key, sum(delta)::int as delta from gone group by text_key),
  counted as materialized (
    select s.text_key, coalesce((select h.total + s.delta from held_text h where h.text_key = s.text_key), ${inIndexes(sql`s.text_key`)}) as total
    from sums s),
  ended as (delete from held_text where text_key = any(array(select text_key from counted where total < 2)))
  insert into held_text (text_key, total) select text_key, total from counted where total > 1
  on conflict (text_key) do update set total = excluded.total`
