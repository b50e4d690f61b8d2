import { BATCH_SIZE } from '#server/core/batch-size.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { deleteBatch } from '#server/core/database/delete-batch.ts'
import { sql } from '#server/core/db.ts'
import { REJECTED_KEPT } from '#server/modules/rules/judging/rejected-bands.ts'

/** Deletes a batch of bands of texts that were rejected long ago. True if there may be more. Uses rejected_band_decided_at. */
export function forgetRejectedBands(ctx: Ctx): Promise<boolean> {
  return deleteBatch(
    ctx,
    sql`
    delete from rejected_band where ctid = any(array(
      select ctid from rejected_band where decided_at <= ${ctx.now()}::timestamptz - ${REJECTED_KEPT}
      limit ${BATCH_SIZE} for update skip locked))`,
  )
}
