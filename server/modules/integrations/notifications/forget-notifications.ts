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

/** In the same way posts for chat rooms. Uses chat_post_created_at_idx. */
export function forgetPosts(ctx: Ctx): Promise<boolean> {
  return deleteBatch(
    ctx,
    sql`
    delete from chat_post where post_id in (
      select post_id from chat_post where created_at < ${new Date(ctx.now().getTime() - KEPT_MS)}
      order by created_at limit ${BATCH_SIZE} for update skip locked)`,
  )
}
