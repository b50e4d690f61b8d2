import type { Ctx } from '#server/core/ctx.ts'
import { execute, type Sql, sql } from '#server/core/db.ts'
import { SUBJECTS, type SubjectType } from '#server/modules/ledger/reports/subjects.ts'

/**
 * Brings the reports of these subjects in line with their flags, and counts what opens and closes. Call it in the transaction of any change
 * to their flags, text or visibility, with the subjects locked. A report is kept when it is decided, so that its version is never reused; a
 * subject that was never flagged has none. One that new flags open again is nobody's claim; an undo, which restores its flags, keeps the claim.
 */
export async function keepReports(ctx: Ctx, type: SubjectType, ids: string[]): Promise<void> {
  await execute(ctx, sql`with ${reportTables(ctx, type, ids)} select from kept`)
}

/** The same as part of a statement that follows the change: common table expressions. */
export function reportTables(ctx: Ctx, type: SubjectType, ids: string[]): Sql {
  const { table, id, space, author, isSeen, tally } = SUBJECTS[type]
  const now = ctx.now()
  const ofThese = sql`subject_type = ${type}::subject_type and subject_id = any(${ids}::text[])`
  return sql`
    subject as (
      select ${id} as subject_id, ${space}, ${author} as author_id, flag_count, flag_count > 0 and ${isSeen} as is_open
      from ${table} where ${id} = any(${ids}::text[])),
    before as (
      select subject_id, flag_count, first_flagged_at, last_flagged_at, closed_at is null as is_open from report where ${ofThese}),
    flags as (
      select subject_id, min(created_at) as first_at, max(created_at) as last_at from flag
      where ${ofThese} and cleared_at is null group by subject_id),
    kept as (
      insert into report (subject_type, subject_id, community_id, channel_id, author_id, flag_count, first_flagged_at, last_flagged_at, closed_at)
      select ${type}::subject_type, subject_id, s.community_id, s.channel_id, s.author_id,
        case when s.is_open then s.flag_count else before.flag_count end,
        coalesce(flags.first_at, before.first_flagged_at, ${now}), coalesce(flags.last_at, before.last_flagged_at, ${now}),
        case when not s.is_open then ${now}::timestamptz end
      from subject s left join before using (subject_id) left join flags using (subject_id)
      where s.is_open or before.subject_id is not null
      on conflict (subject_type, subject_id) do update set version = report.version + 1, flag_count = excluded.flag_count,
        first_flagged_at = excluded.first_flagged_at, last_flagged_at = excluded.last_flagged_at, closed_at = excluded.closed_at,
        claimed_by = case when report.closed_at < excluded.first_flagged_at then null else report.claimed_by end,
        claimed_until = case when report.closed_at < excluded.first_flagged_at then null else report.claimed_until end
      returning subject_id, coalesce(community_id, channel_id, '') as space, closed_at is null as is_open),
    reports_counted as (
      insert into tally_delta (kind, subject_id, delta)
      select ${tally}::tally_kind, space, case when kept.is_open then 1 else -1 end
      from kept left join before using (subject_id)
      where kept.is_open <> coalesce(before.is_open, false))`
}
