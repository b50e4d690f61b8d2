import { BATCH_SIZE } from '#server/core/batch-size.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, queryOne, type Sql } from '#server/core/db.ts'

/** Runs a DELETE of at most BATCH_SIZE rows. Returns true if it deleted that many: there may be more. */
export async function deleteBatch(ctx: Ctx, deletion: Sql): Promise<boolean> {
  const deleted = await queryOne<{ count: number }>(
    ctx,
    Prisma.sql`with deleted as (${deletion} returning 1) select count(*)::int as count from deleted`,
  )
  return deleted?.count === BATCH_SIZE
}
