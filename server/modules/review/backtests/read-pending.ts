import type { Ctx } from '#server/core/ctx.ts'
import { query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { JUDGED_COLUMNS, SIGNALS } from '#server/modules/content/signals/judged-content.ts'
import type { TestedItem, TestedSearch } from '#server/modules/review/backtests/read-decided.ts'
import type { ReviewedKind } from '#server/modules/rules/registry/schema.ts'

/** The pending items of each kind: conditions worded as the partial indexes are. */
const PENDING: Record<ReviewedKind, { from: Sql; row: Sql; id: Sql; author: Sql; isPending: Sql }> = {
  comment: {
    from: sql`comment c left join post p on false`,
    row: sql`c`,
    id: sql`c.comment_id`,
    author: sql`c.user_id`,
    isPending: sql`c.approval_status = 'pending' and not c.is_deleted`,
  },
  post: {
    from: sql`post p left join comment c on false`,
    row: sql`p`,
    id: sql`p.post_id`,
    author: sql`p.posted_user_id`,
    isPending: sql`p.feed_type = 'reviewing' and not p.is_deleted and p.parent_post_id is null`,
  },
}

/** Pending items of one kind, newest first. Uses comment_held, post_held, post_parent_post_id_idx and signal_pkey. */
export function readPending(
  ctx: Ctx,
  { communityId, kind, hasSignals, after, limit }: TestedSearch & { kind: ReviewedKind },
): Promise<TestedItem[]> {
  const { from, row, id, author, isPending } = PENDING[kind]
  const isAfter =
    after === undefined
      ? sql`true`
      : sql`${row}.queued_at <= ${after.at}::timestamptz and (${row}.queued_at < ${after.at}::timestamptz or ${id} > ${after.key})`
  return query<TestedItem>(
    ctx,
    sql`
    select ${id} as key, ${row}.queued_at as at, ${kind} as subject_type, ${id} as subject_id, 'pending' as outcome,
      ${author} as author_id, ${row}.created_at, coalesce(${row}.edited_at, ${row}.created_at) as text_at,
      ${JUDGED_COLUMNS}, ${hasSignals ? SIGNALS : sql`null`} as signals
    from ${from}
    where ${row}.community_id = ${communityId} and ${isPending} and ${isAfter}
    order by ${row}.queued_at desc, ${id} ${sql.raw(`limit ${Math.trunc(limit)}`)}`,
  )
}

/** Uses comment_held and post_held. */
export async function countPending(ctx: Ctx, communityId: string, kinds: ReviewedKind[]): Promise<number> {
  let count = 0
  for (const kind of kinds) {
    const { from, row, isPending } = PENDING[kind]
    const counted = await queryOne<{ count: number }>(
      ctx,
      sql`select count(*)::int as count from ${from} where ${row}.community_id = ${communityId} and ${isPending}`,
    )
    count += counted?.count ?? 0
  }
  return count
}
