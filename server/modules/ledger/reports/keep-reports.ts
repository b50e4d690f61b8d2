import type { Ctx } from '#server/core/ctx.ts'
import { execute, type Sql, sql } from '#server/core/db.ts'
import { SUBJECTS, type SubjectType } from '#server/modules/ledger/reports/subjects.ts'

/**
 * Brings the reports of these subjects in line with their flags, and counts what opens and closes. Call it in the transaction of any change
 * to their flags, text or visibility, with the subjects locked. A report is kept when it is decided, so that its version is never reused; a
 * subject that was never flagged has none. One that new flags open again is nobody's claim; an undo, which restores its flags, keeps the claim.
 * A report stays open when the author deletes what it is about, and keeps what that said when it opened.
 */
export async function keepReports(ctx: Ctx, type: SubjectType, ids: string[], change: Change = {}): Promise<void> {
  await execute(ctx, sql`with ${reportTables(ctx, type, ids, change)} select from kept`)
}

interface Change {
  /** Of an undo, which brings back the flags from before. */
  areFlagsRestored?: boolean
}

/** The same as part of a statement that follows the change: common table expressions. */
export function reportTables(
  ctx: Ctx,
  type: SubjectType,
  ids: string[],
  { areFlagsRestored = false }: Change = {},
): Sql {
  const { table, id, space, author, isSeen, isWithdrawn, words, tally } = SUBJECTS[type]
  const now = ctx.now()
  const ofThese = sql`subject_type = ${type}::subject_type and subject_id = any(${ids}::text[])`
  return sql`
    before as (
      select subject_id, flag_count, first_flagged_at, last_flagged_at, closed_at, closed_at is null as is_open from report where ${ofThese}),
    flags as (
      select subject_id, min(created_at) as first_at, max(created_at) as last_at from flag
      where ${ofThese} and cleared_at is null group by subject_id),
    subject as (
      select s.*, flags.first_at, flags.last_at, before.flag_count as flag_count_before, before.first_flagged_at, before.last_flagged_at,
        before.subject_id is not null as is_known,
        s.flag_count > 0 and (s.is_seen
          or s.is_withdrawn and (${areFlagsRestored}::boolean or coalesce(before.is_open or flags.last_at > before.closed_at, true))) as is_open
      from (
        select ${id} as subject_id, ${space}, ${author} as author_id, flag_count, ${isSeen} as is_seen, ${isWithdrawn} as is_withdrawn, ${words}
        from ${table} where ${id} = any(${ids}::text[])) s
      left join before using (subject_id) left join flags using (subject_id)),
    kept as (
      insert into report (subject_type, subject_id, community_id, channel_id, author_id, flag_count, first_flagged_at, last_flagged_at, closed_at,
        title, text)
      select ${type}::subject_type, subject_id, community_id, channel_id, author_id,
        case when is_open then flag_count else flag_count_before end, coalesce(first_at, first_flagged_at, ${now}),
        coalesce(last_at, last_flagged_at, ${now}), case when not is_open then ${now}::timestamptz end, title, text
      from subject where is_open or is_known
      on conflict (subject_type, subject_id) do update set version = report.version + 1, flag_count = excluded.flag_count,
        first_flagged_at = excluded.first_flagged_at, last_flagged_at = excluded.last_flagged_at, closed_at = excluded.closed_at,
        title = case when ${OPENS} then excluded.title else report.title end, text = case when ${OPENS} then excluded.text else report.text end,
        claimed_by = case when ${OPENS} then null else report.claimed_by end,
        claimed_until = case when ${OPENS} then null else report.claimed_until end
      returning subject_id, coalesce(community_id, channel_id, '') as space, closed_at is null as is_open),
    reports_counted as (
      insert into tally_delta (kind, subject_id, delta)
      select ${tally}::tally_kind, space, case when kept.is_open then 1 else -1 end
      from kept left join before using (subject_id)
      where kept.is_open <> coalesce(before.is_open, false))`
}

/** By flags that came after it was closed; an undo brings back those from before. */
const OPENS = sql`report.closed_at < excluded.first_flagged_at`

/** Closes the reports of what was erased, and empties them. */
export async function eraseReports(ctx: Ctx, type: SubjectType, ids: string[]): Promise<void> {
  const ofThese = sql`subject_type = ${type}::subject_type and subject_id = any(${ids}::text[])`
  await execute(
    ctx,
    sql`
    with before as (
      select subject_id, coalesce(community_id, channel_id, '') as space from report where ${ofThese} and closed_at is null),
    counted as (
      insert into tally_delta (kind, subject_id, delta)
      select ${SUBJECTS[type].tally}::tally_kind, space, -count(*) from before group by space)
    update report set version = version + 1, closed_at = coalesce(closed_at, ${ctx.now()}), title = null, text = null where ${ofThese}`,
  )
}
