import { BATCH_SIZE } from '#server/core/batch-size.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { deleteBatch } from '#server/core/delete-batch.ts'

/** How long events can be read and replayed. Those of a full partition stay until the last of them is that old. */
export const KEPT_DAYS = 30

interface Kept {
  deletedFrom: string | null
  hasDropped: boolean
}

/**
 * Removes events older than a month: drops the oldest partition if all of it has expired, or else deletes a batch of the one that is being
 * filled. Keeps the last event, from whose number the numbering continues. Adds partitions in advance. Returns true if there may be more.
 */
export async function forgetEvents(ctx: Ctx): Promise<boolean> {
  const createdBefore = new Date(ctx.now().getTime() - KEPT_DAYS * 24 * 3_600_000)
  const kept = await queryOne<Kept>(
    ctx,
    sql`select deleted_from::text, has_dropped from keep_event_partitions(${createdBefore})`,
  )
  if (kept?.hasDropped) return true
  // Another process is at it.
  if (kept?.deletedFrom == null) return false
  return deleteBatch(ctx, deletionOf({ createdBefore, from: kept.deletedFrom }))
}

/** Uses event_created of each partition from `from` on; skips rows that another process is deleting. */
function deletionOf({ createdBefore, from }: { createdBefore: Date; from: string }) {
  return sql`
    delete from event where event_id in (
      select event_id from event
      where event_id >= ${from}::bigint and created_at < ${createdBefore} and state <> 'held' and seq < (select max(seq) from event)
      order by created_at limit ${BATCH_SIZE} for update skip locked)`
}
