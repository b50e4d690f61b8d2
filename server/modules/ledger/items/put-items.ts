import type { Ctx } from '#server/core/ctx.ts'
import { execute, type Sql, sql } from '#server/core/db.ts'
import type { HeldType } from '#server/modules/ledger/items/held.ts'

/**
 * Brings the held items of comments or posts in line with their rows: what is pending, what became of it, and what it says. Call it in the transaction of
 * any change to what has been held or rejected, with its row locked; what never was has no item. An attachment's post is meant by its id too.
 */
export async function putItems(ctx: Ctx, type: HeldType, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await execute(ctx, PUT[type](sql`any(${ids}::text[])`))
}

/** Deletes the items of what was erased. */
export async function eraseItems(ctx: Ctx, type: HeldType, ids: string[]): Promise<void> {
  await execute(
    ctx,
    sql`delete from review_item where subject_type = ${type} and subject_id = any(${ids}::text[]) and kind = 'held'`,
  )
}

/**
 * The held items of what was approved or rejected, as part of the statement that decides: `moved` has its `version`, and where several are decided their
 * `subject_id`.
 */
export function decidedItems(ctx: Ctx, { subjectType, subjectId, outcome }: DecidedItems): Sql {
  return sql`
    decided_item as (
      update review_item i set state = ${outcome}, version = moved.version, closed_at = ${ctx.now()}
      from moved
      where i.subject_type = ${subjectType} and i.subject_id = ${subjectId} and i.kind = 'held' and ${outcome} in ('approved', 'rejected'))`
}

interface DecidedItems {
  subjectType: string
  subjectId: Sql
  outcome: string
}

const COLUMNS = sql`
  kind, subject_type, subject_id, community_id, post_id, author_id, state, version, title, text, data_types, is_reply, written_at, opened_at, placed_at,
  closed_at, target_minutes, rule_minutes, signal_minutes, reach_minutes, flag_count, text_key, text_bands, claimed_by, claimed_until`

/** All but the key and what never changes of content. What is held again isn't escalated. */
const CHANGES = sql`
  state = excluded.state, version = excluded.version, title = excluded.title, text = excluded.text, data_types = excluded.data_types,
  is_reply = excluded.is_reply, post_id = excluded.post_id,
  opened_at = excluded.opened_at, placed_at = excluded.placed_at,
  closed_at = case when excluded.closed_at is not null then coalesce(review_item.closed_at, excluded.closed_at) end,
  target_minutes = excluded.target_minutes, rule_minutes = excluded.rule_minutes, signal_minutes = excluded.signal_minutes,
  reach_minutes = excluded.reach_minutes, flag_count = excluded.flag_count, text_key = excluded.text_key, text_bands = excluded.text_bands,
  claimed_by = excluded.claimed_by, claimed_until = excluded.claimed_until,
  escalated_at = case when excluded.placed_at = review_item.placed_at then review_item.escalated_at end`

const put = (content: Sql) => sql`
  insert into review_item (${COLUMNS}) ${content}
  on conflict (subject_type, subject_id, kind) do update set ${CHANGES}`

/** The title or the text, where the data has one. */
const said = (row: string, key: 'title' | 'text') =>
  sql.raw(`case jsonb_typeof(${row}.data -> '${key}') when 'string' then ${row}.data ->> '${key}' end`)

const PUT: Record<HeldType, (ids: Sql) => Sql> = {
  comment: (ids) =>
    put(sql`
    select 'held', 'comment', c.comment_id, c.community_id, case c.reference_type when 'post' then c.reference_id end, c.user_id,
      case when c.approval_status <> 'pending' then c.approval_status::text when c.is_deleted then 'withdrawn' else 'waiting' end, c.version, null,
      ${said('c', 'text')}, c.data_types, c.parent_id is not null, c.created_at, c.queued_at, c.queued_at,
      case when c.approval_status <> 'pending' or c.is_deleted then c.updated_at end, c.target_minutes, c.rule_minutes, c.signal_minutes,
      c.reach_minutes, c.flag_count, c.text_key, c.text_bands, c.claimed_by, c.claimed_until
    from comment c where c.comment_id = ${ids} and c.approval_status is not null`),
  post: (ids) =>
    put(sql`
    select 'held', 'post', p.post_id, p.community_id, null, p.posted_user_id,
      case when p.feed_type = 'published' then 'approved' when p.feed_type = 'declined' then 'rejected' when p.is_deleted then 'withdrawn'
        else 'waiting' end,
      p.version, ${said('p', 'title')}, ${said('p', 'text')},
      array(select distinct child.data_type from post child where child.parent_post_id = p.post_id and child.data_type is not null)
        || coalesce(p.data_type, 'text'),
      false, p.created_at, p.queued_at, p.queued_at, case when p.feed_type <> 'reviewing' or p.is_deleted then p.updated_at end,
      p.target_minutes, p.rule_minutes, p.signal_minutes, p.reach_minutes, p.flag_count, p.text_key, p.text_bands, p.claimed_by, p.claimed_until
    from post p
    where p.post_id in (select coalesce(parent_post_id, post_id) from post where post_id = ${ids})
      and (p.queued_at is not null or p.feed_type = 'declined')`),
}
