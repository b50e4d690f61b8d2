import { BATCH_SIZE } from '#server/core/batch-size.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { deleteBatch } from '#server/core/database/delete-batch.ts'
import { sql } from '#server/core/db.ts'
import { KEPT_HOURS } from '#server/modules/ledger/idempotency/schema.ts'

/**
 * Deletes responses that are no longer replayed. Returns true if more is left than one batch takes. Uses
 * idempotency_key_created_at_idx; skips rows that another process is deleting.
 */
export function forgetAnswers(ctx: Ctx): Promise<boolean> {
  return deleteBatch(
    ctx,
    sql`
    delete from idempotency_key where (credential, key_digest) in (
      select credential, key_digest from idempotency_key
      where created_at <= now() - interval '${sql.raw(String(KEPT_HOURS))} hours'
      order by created_at limit ${BATCH_SIZE} for update skip locked)`,
  )
}
