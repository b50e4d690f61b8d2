import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { STRIKE_DAYS } from '#server/modules/network/policies/schema.ts'
import { mayReadStatement } from '#server/modules/network/statements/read-statements.ts'

/**
 * How many strikes a person has: the weights of the policies that their statements of the last 90 days name, without those that were voided or reversed, as
 * far as the caller may read them.
 * Uses statement_user_id_issued_at_statement_id_idx.
 */
export async function countStrikes(ctx: Ctx, userId: string): Promise<number> {
  const since = new Date(ctx.now().getTime() - STRIKE_DAYS * 24 * 3_600_000)
  const counted = await queryOne<{ strikes: number }>(
    ctx,
    sql`
    select coalesce(sum(v.weight), 0)::int as strikes
    from statement s join policy_version v on v.policy_id = s.policy_id and v.version = s.policy_version
    where s.user_id = ${userId} and s.issued_at >= ${since} and s.reversed_at is null and ${mayReadStatement(ctx)}`,
  )
  return counted?.strikes ?? 0
}
