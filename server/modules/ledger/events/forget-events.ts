import { BATCH_SIZE } from '#server/core/batch-size.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { sql } from '#server/core/db.ts'
import { deleteBatch } from '#server/core/delete-batch.ts'

/** How long events can be read and replayed. */
export const KEPT_DAYS = 30

/**
 * Deletes events older than a month, except the last one, from whose number the numbering continues. Returns true if more is
 * left than one batch takes. Uses event_created; skips rows that another process is deleting.
 */
export function forgetEvents(ctx: Ctx): Promise<boolean> {
  const happenedBefore = new Date(ctx.now().getTime() - KEPT_DAYS * 24 * 3_600_000)
  return deleteBatch(
    ctx,
    sql`
    delete from event where event_id in (
      select event_id from event
      where created_at < ${happenedBefore} and state <> 'held' and seq < (select max(seq) from event)
      order by created_at limit ${BATCH_SIZE} for update skip locked)`,
  )
}
