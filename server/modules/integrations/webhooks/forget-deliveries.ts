import { BATCH_SIZE } from '#server/core/batch-size.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { forgetExpired } from '#server/core/database/forget-expired.ts'
import { sql } from '#server/core/db.ts'
import { KEPT_DAYS } from '#server/modules/ledger/events/forget-events.ts'

/**
 * Removes deliveries, with their attempts, a month after they were created: with their partition if it is full. The queue deletes its own
 * jobs. Returns true if there may be more. Uses delivery_created_at_delivery_id_idx of each partition that is not full.
 */
export function forgetDeliveries(ctx: Ctx): Promise<boolean> {
  const madeBefore = new Date(ctx.now().getTime() - KEPT_DAYS * 24 * 3_600_000)
  return forgetExpired(ctx, {
    keep: sql`keep_delivery_partitions(${madeBefore})`,
    deletionFrom: (id) => sql`
    delete from delivery where delivery_id in (
      select delivery_id from delivery where delivery_id >= ${id} and created_at < ${madeBefore}
      order by created_at, delivery_id limit ${BATCH_SIZE} for update skip locked)`,
  })
}
