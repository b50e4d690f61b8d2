import { BATCH_SIZE } from '#server/core/batch-size.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { deleteBatch } from '#server/core/database/delete-batch.ts'
import { sql } from '#server/core/db.ts'

/** Notifications are kept for so long, so that none is sent again. */
const KEPT_MS = 30 * 24 * 3_600_000

/** Removes notifications older than a month. Returns true if there may be more. Uses notification_created_at_idx; skips rows that another process is deleting. */
export function forgetNotifications(ctx: Ctx): Promise<boolean> {
  return deleteBatch(
    ctx,
    sql`
    delete from notification where notification_id in (
      select notification_id from notification where created_at < ${new Date(ctx.now().getTime() - KEPT_MS)}
      order by created_at limit ${BATCH_SIZE} for update skip locked)`,
  )
}
