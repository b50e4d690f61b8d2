import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'

/** How many texts of before are kept of an item. Uses review_evidence_pkey. */
export async function countEarlier(ctx: Ctx, { subjectType, subjectId }: Subject): Promise<number> {
  const counted = await queryOne<{ count: number }>(
    ctx,
    sql`select count(*)::int as count from review_evidence where subject_type = ${subjectType} and subject_id = ${subjectId}`,
  )
  return counted?.count ?? 0
}
