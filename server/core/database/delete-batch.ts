import { BATCH_SIZE } from '#server/core/batch-size.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { execute, type Sql } from '#server/core/db.ts'

/** Runs a DELETE of at most BATCH_SIZE rows. Returns true if it deleted that many: there may be more. */
export async function deleteBatch(ctx: Ctx, deletion: Sql): Promise<boolean> {
  return (await execute(ctx, deletion)) === BATCH_SIZE
}
