import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import type { TallyKind } from '#server/modules/ledger/counts/record-delta.ts'
import type { SubjectType } from '#server/modules/review/decisions/schema.ts'
import { mayReviewReportsIn } from '#server/modules/review/queue/reported.ts'

const KIND_OF: Record<SubjectType, TallyKind> = {
  comment: 'reported_comments',
  post: 'reported_posts',
  message: 'reported_messages',
  user: 'reported_people',
}

interface Counted {
  communityId?: string | undefined
  kind?: SubjectType | undefined
}

/** How many open reports the caller may review: exact, from folded totals and open deltas read in one snapshot. */
export async function countReports(ctx: Ctx, counted: Counted = {}): Promise<number> {
  const found = await queryOne<{ total: number }>(ctx, reportTotal(ctx, counted))
  return found?.total ?? 0
}

/** The statement of `countReports`: one row, `total`. */
export function reportTotal(ctx: Ctx, { communityId, kind }: Counted): Sql {
  const kinds = kind === undefined ? Object.values(KIND_OF) : [KIND_OF[kind]]
  const isWanted = sql`kind = any(${kinds}::tally_kind[])`
  const space = sql`nullif(subject_id, '')`
  return sql`
    with counted as (
      select kind, subject_id, sum(total) as total
      from (
        select kind, subject_id, total from tally where ${isWanted}
        union all
        select kind, subject_id, delta from tally_delta where ${isWanted}) counted
      group by kind, subject_id)
    select coalesce(sum(total), 0)::float8 as total from counted
    where ${communityId === undefined ? sql`true` : sql`kind in ('reported_comments', 'reported_posts') and subject_id = ${communityId}`}
      and ${mayReviewReportsIn(ctx, {
        type: sql`case kind when 'reported_comments' then 'comment' when 'reported_posts' then 'post' when 'reported_messages' then 'message' end`,
        communityId: space,
        channelId: space,
      })}`
}
