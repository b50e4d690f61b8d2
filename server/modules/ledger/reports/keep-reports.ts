import type { Ctx } from '#server/core/ctx.ts'
import { execute, type Sql, sql } from '#server/core/db.ts'
import { keptTexts } from '#server/modules/ledger/evidence/keep-texts.ts'
import { SUBJECTS, type SubjectType } from '#server/modules/ledger/reports/subjects.ts'

/**
 * Brings the reports of these subjects, their items of kind `reported`, in line with their flags, and counts what opens and closes. Call it in
 * the transaction of any change to their flags, text or visibility, with the subjects locked. A report is kept when it is decided, so that its
 * version is never reused; a subject that was never flagged has none. One that new flags open again is nobody's claim; an undo, which restores
 * its flags, keeps the claim. A report stays open when the author deletes what it is about, and keeps what that said when it opened.
 */
export async function keepReports(ctx: Ctx, type: SubjectType, ids: string[], change: Change = {}): Promise<void> {
  await execute(ctx, sql`with ${reportTables(ctx, type, ids, change)} select from kept`)
}

interface Change {
  /** Of an undo, which brings back the flags from before. */
  areFlagsRestored?: boolean
  /** Of a decision that the subject is acceptable. */
  isDismissed?: boolean
}

/** What `keepReports` does as part of a statement that follows the change: common table expressions. */
export function reportTables(
  ctx: Ctx,
  type: SubjectType,
  ids: string[],
  { areFlagsRestored = false, isDismissed = false }: Change = {},
): Sql {
  const { table, id, space, author, isSeen, isWithdrawn, isRemoved, words, about, tally } = SUBJECTS[type]
  const now = ctx.now()
  return sql`
    before as (
      select subject_id, flag_count, opened_at, placed_at, closed_at, state = 'waiting' as is_open from review_item where ${reportsOf(type, ids)}),
    flags as (
      select subject_id, min(created_at) as first_at, max(created_at) as last_at from flag
      where subject_type = ${type}::subject_type and subject_id = any(${ids}::text[]) and cleared_at is null group by subject_id),
    subject as (
      select s.*, flags.first_at, flags.last_at, before.flag_count as flag_count_before, before.opened_at, before.placed_at,
        before.subject_id is not null as is_known,
        s.flag_count > 0 and (s.is_seen
          or s.is_withdrawn and (${areFlagsRestored}::boolean or coalesce(before.is_open or flags.last_at > before.closed_at, true))) as is_open
      from (
        select ${id} as subject_id, ${space}, ${author} as author_id, flag_count, created_at, ${isSeen} as is_seen, ${isWithdrawn} as is_withdrawn,
          ${isRemoved} as is_removed, ${words}, ${about}
        from ${table} s where ${id} = any(${ids}::text[])) s
      left join before using (subject_id) left join flags using (subject_id)),
    ${keptTexts(ctx, {
      type,
      kind: 'reported',
      now: sql`
      select s.subject_id, s.title, s.text from subject s join before using (subject_id)
      where s.is_open and before.closed_at < coalesce(s.first_at, s.opened_at, ${now})`,
    })},
    kept as (
      insert into review_item (kind, subject_type, subject_id, community_id, channel_id, post_id, author_id, state, version, title, text, data_types,
        is_reply, written_at, opened_at, placed_at, closed_at, flag_count)
      select 'reported', ${type}, subject_id, community_id, channel_id, post_id, author_id,
        case when is_open then 'waiting' when ${isDismissed}::boolean then 'dismissed' when flag_count > 0 and is_removed then 'deleted'
          else 'withdrawn' end,
        1, title, text, data_types, is_reply, created_at, coalesce(first_at, opened_at, ${now}), coalesce(last_at, placed_at, ${now}),
        case when not is_open then ${now}::timestamptz end, case when is_open then flag_count else flag_count_before end
      from subject where is_open or is_known
      on conflict (subject_type, subject_id, kind) do update set version = review_item.version + 1, flag_count = excluded.flag_count,
        community_id = excluded.community_id, channel_id = excluded.channel_id, post_id = excluded.post_id, author_id = excluded.author_id,
        is_reply = excluded.is_reply, written_at = excluded.written_at, opened_at = excluded.opened_at, placed_at = excluded.placed_at,
        closed_at = excluded.closed_at, state = case when 'waiting' in (review_item.state, excluded.state) then excluded.state else review_item.state end,
        title = case when ${OPENS} then excluded.title else review_item.title end,
        text = case when ${OPENS} then excluded.text else review_item.text end,
        data_types = case when ${OPENS} then excluded.data_types else review_item.data_types end,
        claimed_by = case when ${OPENS} then null else review_item.claimed_by end,
        claimed_until = case when ${OPENS} then null else review_item.claimed_until end,
        escalated_at = case when ${OPENS} then null else review_item.escalated_at end
      returning subject_id, coalesce(community_id, channel_id, '') as space, state = 'waiting' as is_open),
    reports_counted as (
      insert into tally_delta (kind, subject_id, delta)
      select ${tally}::tally_kind, space, case when kept.is_open then 1 else -1 end
      from kept left join before using (subject_id)
      where kept.is_open <> coalesce(before.is_open, false))`
}

/** Whether the report opens again: by flags that came after it was closed, while an undo brings back those from before. */
const OPENS = sql`review_item.closed_at < excluded.opened_at`

/** Closes the reports of what was erased, and empties them. */
export async function eraseReports(ctx: Ctx, type: SubjectType, ids: string[]): Promise<void> {
  await execute(
    ctx,
    sql`
    with before as (
      select coalesce(community_id, channel_id, '') as space from review_item where ${reportsOf(type, ids)} and state = 'waiting'),
    counted as (
      insert into tally_delta (kind, subject_id, delta)
      select ${SUBJECTS[type].tally}::tally_kind, space, -count(*) from before group by space)
    update review_item set version = version + 1, state = case state when 'waiting' then 'withdrawn' else state end,
      closed_at = coalesce(closed_at, ${ctx.now()}), title = null, text = null
    where ${reportsOf(type, ids)}`,
  )
}

/** The reports on these subjects, as a condition on `review_item`. Uses its primary key. */
function reportsOf(type: SubjectType, ids: string[]): Sql {
  return sql`subject_type = ${type} and subject_id = any(${ids}::text[]) and kind = 'reported'`
}
