import type { Ctx } from '#server/core/ctx.ts'
import { query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { JUDGED_COLUMNS, type JudgedRow, SIGNALS } from '#server/modules/content/signals/judged-content.ts'
import type { Outcomes } from '#server/modules/review/backtests/schema.ts'
import type { ReviewedKind } from '#server/modules/rules/registry/schema.ts'

/** A decision on what was held, and the content it was about; without an author if the content is gone. */
export interface DecidedItem extends JudgedRow {
  decisionId: string
  decidedAt: Date
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

interface DecidedSearch {
  communityId: string
  kinds: ReviewedKind[]
  /** Whether their signals are read. */
  hasSignals: boolean
  after: After | undefined
  limit: number
}

/** Where a batch begins: after this decision. */
export interface After {
  decidedAt: string
  decisionId: string
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
  { communityId, kinds, hasSignals, after, limit }: DecidedSearch,
): Promise<DecidedItem[]> {
  const isAfter =
    after === undefined
      ? sql`true`
      : sql`d.decided_at <= ${after.decidedAt}::timestamptz
        and (d.decided_at, d.decision_id) < (${after.decidedAt}::timestamptz, ${after.decisionId}::bigint)`
  return query<DecidedItem>(
    ctx,
    sql`
    with decided as materialized (
      select d.* from decision d where ${IS_DECIDED(communityId, kinds)} and ${isAfter}
      order by d.decided_at desc, d.decision_id desc ${sql.raw(`limit ${Math.trunc(limit)}`)})
    select d.decision_id::text as decision_id, d.decided_at, d.subject_type::text as subject_type, d.subject_id,
      ${STANDING_OUTCOME} as outcome,
      coalesce(c.user_id, p.posted_user_id) as author_id, coalesce(c.created_at, p.created_at) as created_at,
      coalesce(c.edited_at, p.edited_at, c.created_at, p.created_at) as text_at,
      ${JUDGED_COLUMNS}, ${hasSignals ? SIGNALS : sql`null`} as signals
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
