import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { JUDGED_CONTENT, type JudgedRow, toJudged } from '#server/modules/content/signals/judged-content.ts'
import type { NewContent } from '#server/modules/rules/judging/judge-content.ts'
import type { ReviewedKind } from '#server/modules/rules/registry/schema.ts'

/** A comment or post with a score that rules haven't judged yet. */
export type Measured = NewContent & { kind: ReviewedKind; subjectId: string }

type MeasuredRow = JudgedRow & Omit<Measured, 'mentions'>

/**
 * Those of the subjects that rules judge by new scores: comments and posts in communities where rules run, unless they are gone, rejected, or
 * people have decided on them since the last edit. Uses comment_pkey, post_pkey, signal_pkey and decision_subject_type_subject_id_decided_at_idx.
 */
export async function readMeasured(
  ctx: Ctx,
  subjects: { subjectType: string; subjectId: string }[],
): Promise<Measured[]> {
  const rows = await query<MeasuredRow>(
    ctx,
    sql`
    select asked.subject_type as kind, asked.subject_id, judged.*
    from (
      select distinct subject_type, subject_id
      from unnest(${subjects.map(({ subjectType }) => subjectType)}::text[], ${subjects.map(({ subjectId }) => subjectId)}::text[])
        as asked(subject_type, subject_id)) asked
    left join comment c on asked.subject_type = 'comment' and c.comment_id = asked.subject_id
      and not c.is_deleted and c.approval_status is distinct from 'rejected'
    left join post p on asked.subject_type = 'post' and p.post_id = asked.subject_id
      and not p.is_deleted and p.feed_type <> 'declined' and p.parent_post_id is null
    cross join lateral (
      select ${JUDGED_CONTENT}) judged
    where judged.author_id is not null and judged.rules is not null
      and exists (
        select from signal s
        where s.subject_type = asked.subject_type::subject_type and s.subject_id = asked.subject_id and not s.is_judged)
      and not exists (
        select from decision d
        where d.subject_type = asked.subject_type::subject_type and d.subject_id = asked.subject_id and d.undone_at is null
          and d.decided_at >= coalesce(c.edited_at, p.edited_at, '-infinity'))`,
  )
  return rows.map((row) => ({ ...row, ...toJudged(row) }))
}
