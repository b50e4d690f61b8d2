import { BATCH_SIZE } from '#server/core/batch-size.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { execute, sql } from '#server/core/db.ts'

/**
 * Clears a batch of claims whose time has passed. They have had no effect since, so nothing is logged or published. Returns true if there may be
 * more. Uses review_item_claimed, which only has claimed rows.
 */
export async function clearEndedClaims(ctx: Ctx): Promise<boolean> {
  const cleared = await execute(
    ctx,
    sql`
    update review_item set claimed_by = null, claimed_until = null where (subject_type, subject_id, kind) in (
      select subject_type, subject_id, kind from review_item where claimed_by is not null and claimed_until <= ${ctx.now()}
      limit ${BATCH_SIZE} for no key update skip locked)`,
  )
  return cleared === BATCH_SIZE
}
