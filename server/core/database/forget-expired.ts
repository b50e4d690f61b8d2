import type { Ctx } from '#server/core/ctx.ts'
import { deleteBatch } from '#server/core/database/delete-batch.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'

interface Forgetting {
  /** Calls the function that keeps the partitions of the table. */
  keep: Sql
  /** Deletes a batch of the rows from this id on, which no partition will be dropped with. */
  deletionFrom: (id: string) => Sql
}

interface Kept {
  deletedFrom: string | null
  hasDropped: boolean
}

/**
 * Does one step of the retention of a partitioned table: detaches or drops a partition of which all has expired, or else adds partitions in
 * advance and deletes a batch of the one that is being filled. Returns true if there may be more.
 */
export async function forgetExpired(ctx: Ctx, { keep, deletionFrom }: Forgetting): Promise<boolean> {
  const kept = await queryOne<Kept>(ctx, sql`select deleted_from::text, has_dropped from ${keep}`)
  if (kept?.hasDropped) return true
  // Another process is at it.
  if (kept?.deletedFrom == null) return false
  return deleteBatch(ctx, deletionFrom(kept.deletedFrom))
}
