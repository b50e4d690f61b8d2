import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { JUDGED_COLUMNS, SIGNALS } from '#server/modules/content/signals/judged-content.ts'
import type { TestedItem } from '#server/modules/review/backtests/read-decided.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import type { ReviewedKind } from '#server/modules/rules/registry/schema.ts'

interface SourceSearch {
  communityId: string
  kinds: ReviewedKind[]
  hasSignals: boolean
  subjects: Subject[]
}

/** Those of the items that are in this community, pending or not. Uses review_item_pkey, comment_pkey, post_pkey and signal_pkey. */
export function readSource(
  ctx: Ctx,
  { communityId, kinds, hasSignals, subjects }: SourceSearch,
): Promise<TestedItem[]> {
  return query<TestedItem>(
    ctx,
    sql`
    select distinct on (i.subject_type, i.subject_id) i.subject_id as key, i.written_at as at, i.subject_type::text as subject_type,
      i.subject_id, 'pending' as outcome, coalesce(c.user_id, p.posted_user_id) as author_id, i.written_at as created_at,
      coalesce(c.edited_at, p.edited_at, i.written_at) as text_at,
      ${JUDGED_COLUMNS}, ${hasSignals ? SIGNALS : sql`null::jsonb`} as signals
    from unnest(${subjects.map(({ subjectType }) => subjectType)}::text[], ${subjects.map(({ subjectId }) => subjectId)}::text[])
      as one(subject_type, subject_id)
    join review_item i on i.subject_type = one.subject_type and i.subject_id = one.subject_id
    left join comment c on i.subject_type = 'comment' and c.comment_id = i.subject_id
    left join post p on i.subject_type = 'post' and p.post_id = i.subject_id
    where i.community_id = ${communityId} and i.subject_type = any(${kinds}::text[])
    order by i.subject_type, i.subject_id`,
  )
}
