import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'

/** What was kept of an item, each text once, however often it was held and reported with it. Uses review_evidence_pkey. */
export function earlierTexts({ subjectType, subjectId }: Subject): Sql {
  return sql`
    select title, text, max(replaced_at) as replaced_at from review_evidence
    where subject_type = ${subjectType} and subject_id = ${subjectId} group by title, text`
}

export async function countEarlier(ctx: Ctx, subject: Subject): Promise<number> {
  const counted = await queryOne<{ count: number }>(
    ctx,
    sql`select count(*)::int as count from (${earlierTexts(subject)}) earlier`,
  )
  return counted?.count ?? 0
}
