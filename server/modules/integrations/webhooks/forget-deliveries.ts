import { BATCH_SIZE } from '#server/core/batch-size.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { sql } from '#server/core/db.ts'
import { deleteBatch } from '#server/core/delete-batch.ts'
import { KEPT_DAYS } from '#server/modules/ledger/events/forget-events.ts'

/**
 * Deletes deliveries, with their attempts, a month after they were created. The queue deletes its own jobs. Returns true if more
 * is left than one batch takes. Uses delivery_created_at_delivery_id_idx.
 */
export function forgetDeliveries(ctx: Ctx): Promise<boolean> {
  const madeBefore = new Date(ctx.now().getTime() - KEPT_DAYS * 24 * 3_600_000)
  return deleteBatch(
    ctx,
    sql`
    delete from delivery where delivery_id in (
      select delivery_id from delivery where created_at < ${madeBefore}
      order by created_at, delivery_id limit ${BATCH_SIZE} for update skip locked)`,
  )
}
