import type { Ctx } from '#server/core/ctx.ts'
import { query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { IS_HELD, isOfType } from '#server/modules/content/items/held.ts'
import { JUDGED_COLUMNS, SIGNALS } from '#server/modules/content/signals/judged-content.ts'
import type { TestedItem, TestedSearch } from '#server/modules/review/backtests/read-decided.ts'
import type { ReviewedKind } from '#server/modules/rules/registry/schema.ts'

/** The pending items of each kind: conditions worded as the partial indexes are. */
/** The content of pending items `i`, and as `p` or `c` nothing. */
const CONTENT: Record<ReviewedKind, { row: Sql; from: Sql }> = {
  comment: { row: sql`c`, from: sql`join comment c on c.comment_id = i.subject_id left join post p on false` },
  post: { row: sql`p`, from: sql`join post p on p.post_id = i.subject_id left join comment c on false` },
}

/** Pending items of one kind, newest first. Uses review_item_in_community, post_parent_post_id_idx and signal_pkey. */
export function readPending(
  ctx: Ctx,
  { communityId, kind, hasSignals, after, limit }: TestedSearch & { kind: ReviewedKind },
): Promise<TestedItem[]> {
  const { row, from } = CONTENT[kind]
  const isAfter =
    after === undefined
      ? sql`true`
      : sql`i.placed_at <= ${after.at}::timestamptz and (i.placed_at < ${after.at}::timestamptz or i.subject_id > ${after.key})`
  return query<TestedItem>(
    ctx,
    sql`
    select i.subject_id as key, i.placed_at as at, ${kind} as subject_type, i.subject_id, 'pending' as outcome,
      i.author_id, i.written_at as created_at, coalesce(${row}.edited_at, i.written_at) as text_at,
      ${JUDGED_COLUMNS}, ${hasSignals ? SIGNALS : sql`null::jsonb`} as signals
    from review_item i ${from}
    where i.community_id = ${communityId} and ${isOfType(kind)} and ${IS_HELD} and ${isAfter}
    order by i.placed_at desc, i.subject_id ${sql.raw(`limit ${Math.trunc(limit)}`)}`,
  )
}

/** Uses review_item_in_community. */
export async function countPending(ctx: Ctx, communityId: string, kinds: ReviewedKind[]): Promise<number> {
  const counted = await queryOne<{ count: number }>(
    ctx,
    sql`
    select count(*)::int as count from review_item i
    where i.community_id = ${communityId} and i.subject_type = any(${kinds}::text[]) and ${IS_HELD}`,
  )
  return counted?.count ?? 0
}
