import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'

/** How many rows of a table this transaction has read so far, one by one or by way of an index. */
export async function countRead(ctx: Ctx, table: string): Promise<number> {
  const read = await queryOne<{ rows: number }>(
    ctx,
    sql`select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname = ${table}`,
  )
  return read?.rows ?? 0
}
