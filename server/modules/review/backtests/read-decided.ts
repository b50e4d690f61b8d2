import type { Ctx } from '#server/core/ctx.ts'
import { query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { JUDGED_COLUMNS, type JudgedRow, SIGNALS } from '#server/modules/content/signals/judged-content.ts'
import type { Outcomes } from '#server/modules/review/backtests/schema.ts'
import type { ReviewedKind } from '#server/modules/rules/registry/schema.ts'

/** What was held and decided, or still is held; without an author if the content is gone. */
export interface TestedItem extends JudgedRow {
  /** What orders items of the same moment: the decision's id, or the pending item's. */
  key: string
  /** When it was decided, or held. */
  at: Date
  subjectType: ReviewedKind
  subjectId: string
  outcome: keyof Outcomes
  authorId: string | null
  createdAt: Date
  /** Of what was edited: since when it says what it says. */
  textAt: Date
  signals: Record<string, number> | null
}

/** What became of decision `d`, as an SQL expression: an approval that was reversed is a rejection. */
export const STANDING_OUTCOME = sql`
  case when d.outcome = 'approved' and not exists (
    select from decision reversal
    where reversal.subject_type = d.subject_type and reversal.subject_id = d.subject_id and reversal.is_reversal
        and reversal.outcome = 'rejected'
      and reversal.undone_at is null) then 'approved' else 'rejected' end`

export interface TestedSearch {
  communityId: string
  /** Whether their signals are read. */
  hasSignals: boolean
  after: After | undefined
  limit: number
}

/** Where a batch begins: after this item. */
export interface After {
  at: string
  key: string
}

const IS_DECIDED = (communityId: string, kinds: ReviewedKind[]): Sql => sql`
  d.community_id = ${communityId} and d.held_at is not null and d.undone_at is null and d.outcome in ('approved', 'rejected')
  and d.subject_type = any(${kinds}::subject_type[])`

/**
 * Decided items, newest decision first. Uses decision_on_held, comment_pkey, post_pkey,
 * post_parent_post_id_idx and signal_pkey.
 */
export function readDecided(
  ctx: Ctx,
  { communityId, kinds, hasSignals, after, limit }: TestedSearch & { kinds: ReviewedKind[] },
): Promise<TestedItem[]> {
  const isAfter =
    after === undefined
      ? sql`true`
      : sql`d.decided_at <= ${after.at}::timestamptz and (d.decided_at, d.decision_id) < (${after.at}::timestamptz, ${after.key}::bigint)`
  return query<TestedItem>(
    ctx,
    sql`
    with decided as materialized (
      select d.* from decision d where ${IS_DECIDED(communityId, kinds)} and ${isAfter}
      order by d.decided_at desc, d.decision_id desc ${sql.raw(`limit ${Math.trunc(limit)}`)})
    select d.decision_id::text as key, d.decided_at as at, d.subject_type::text as subject_type, d.subject_id,
      ${STANDING_OUTCOME} as outcome,
      coalesce(c.user_id, p.posted_user_id) as author_id, coalesce(c.created_at, p.created_at) as created_at,
      coalesce(c.edited_at, p.edited_at, c.created_at, p.created_at) as text_at,
      ${JUDGED_COLUMNS}, ${hasSignals ? SIGNALS : sql`null::jsonb`} as signals
    from decided d
    left join comment c on d.subject_type = 'comment' and c.comment_id = d.subject_id
    left join post p on d.subject_type = 'post' and p.post_id = d.subject_id
    order by d.decided_at desc, d.decision_id desc`,
  )
}

/** Uses decision_on_held. */
export async function countDecided(ctx: Ctx, communityId: string, kinds: ReviewedKind[]): Promise<number> {
  const counted = await queryOne<{ count: number }>(
    ctx,
    sql`select count(*)::int as count from decision d where ${IS_DECIDED(communityId, kinds)}`,
  )
  return counted?.count ?? 0
}
