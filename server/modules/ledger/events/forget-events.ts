import { BATCH_SIZE } from '#server/core/batch-size.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { forgetExpired } from '#server/core/database/forget-expired.ts'
import { sql } from '#server/core/db.ts'

/** How long events can be read and replayed. Those of a full partition stay until the last of them is that old. */
export const KEPT_DAYS = 30

/**
 * Removes events older than a month, with their partition if it is full. Keeps the last event, from whose number the numbering continues.
 * Returns true if there may be more. Uses event_created of each partition that is not full; skips rows that another process is deleting.
 */
export function forgetEvents(ctx: Ctx): Promise<boolean> {
  const createdBefore = new Date(ctx.now().getTime() - KEPT_DAYS * 24 * 3_600_000)
  return forgetExpired(ctx, {
    keep: sql`keep_event_partitions(${createdBefore})`,
    deletionFrom: (id) => sql`
    delete from event where event_id in (
      select event_id from event
      where event_id >= ${id}::bigint and created_at < ${createdBefore} and state <> 'held' and seq < (select max(seq) from event)
      order by created_at limit ${BATCH_SIZE} for update skip locked)`,
  })
}
