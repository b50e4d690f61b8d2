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

/** How many blocks of a table and its indexes this transaction has read so far, also those in which it found nothing. */
export async function countBlocksRead(ctx: Ctx, table: string): Promise<number> {
  const read = await queryOne<{ blocks: number }>(
    ctx,
    sql`
    select sum(pg_stat_get_xact_blocks_fetched(oid))::int as blocks
    from (select ${table}::regclass as oid union all select indexrelid from pg_index where indrelid = ${table}::regclass) relation`,
  )
  return read?.blocks ?? 0
}
