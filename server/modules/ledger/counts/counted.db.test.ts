import { afterAll, expect, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { openDatabase } from '#server/core/database/open-database.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { counted } from '#server/modules/ledger/counts/counted.ts'
import { foldDeltas } from '#server/modules/ledger/counts/fold-deltas.ts'
import { foldHeldDays } from '#server/modules/ledger/counts/fold-held-days.ts'
import { heldAlike } from '#server/modules/ledger/counts/held-texts.ts'
import { countBlocksRead } from '#server/testing/count-read.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, url } = await testDatabase()
const system = systemCtx(database)
// One connection, which keeps its plans.
const reader = openDatabase({ url, connections: 1, onError: () => {} })
afterAll(reader.close)

const DELTAS = 20_000
/** PostgreSQL plans a statement five times for its values before it keeps a plan for any values. */
const UNTIL_PLAN_IS_KEPT = 6

/** How many blocks of a table and its indexes a read takes. */
async function blocksOf(table: string, read: (ctx: Ctx) => Promise<unknown>): Promise<number> {
  return inTransaction(systemCtx(reader), async (ctx) => {
    const before = await countBlocksRead(ctx, table)
    await read(ctx)
    return (await countBlocksRead(ctx, table)) - before
  })
}

const KEY = sql`${'k1'}::text`
const TEXT_KEY = sql`md5(${'k1'})::uuid`
const NUMBERS = sql`generate_series(1, ${DELTAS}) n`
const INSERTS = {
  tally_delta: sql`insert into tally_delta (kind, subject_id, delta) select 'held_comments', 'k' || n % 100, 1 from ${NUMBERS}`,
  held_text_delta: sql`insert into held_text_delta (text_key, delta) select md5('k' || n % 100)::uuid, 1 from ${NUMBERS}`,
  held_day_delta: sql`insert into held_day_delta (community_id, day, delta) select 'k' || n % 100, current_date, 1 from ${NUMBERS}`,
}

/** The deltas take 128 blocks of the table, and 57 of its primary key. */
test.each<[string, keyof typeof INSERTS, number, (ctx: Ctx) => Promise<unknown>]>([
  ['a count', 'tally_delta', 20, (ctx) => execute(ctx, sql`select ${counted('held_comments', KEY)}`)],
  ['the folding of the next', 'tally_delta', 70, foldDeltas],
  ['a count of texts that are alike', 'held_text_delta', 20, (ctx) => execute(ctx, sql`select ${heldAlike(TEXT_KEY)}`)],
  ['the folding of the next days', 'held_day_delta', 70, foldHeldDays],
])('deltas that are folded hardly cost %s anything, by a plan from before they were there', async (_name, table, limit, read) => {
  const insertAndDelete = async () => {
    await execute(system, INSERTS[table])
    await execute(system, sql`delete from ${sql.raw(table)}`)
  }
  await insertAndDelete()
  await database.pool.query(`vacuum ${table}`)
  for (let time = 1; time <= UNTIL_PLAN_IS_KEPT; time += 1) await blocksOf(table, read)
  await insertAndDelete()
  // Each read marks rows in the index that no transaction sees any more.
  await expect.poll(() => blocksOf(table, read)).toBeLessThan(limit)
})

test('many folded deltas of one subject hardly cost its count anything, by a plan from when two were left', async () => {
  const insert = sql`insert into tally_delta (kind, subject_id, delta) select 'held_comments', ${'k1'}, 1 from ${NUMBERS}`
  const count = (ctx: Ctx) => execute(ctx, sql`select ${counted('held_comments', KEY)} as total`)
  await execute(system, insert)
  await execute(system, sql`delete from tally_delta where delta_id < (select max(delta_id) - 1 from tally_delta)`)
  await database.pool.query('vacuum analyze tally_delta')
  for (let time = 1; time <= UNTIL_PLAN_IS_KEPT; time += 1) await blocksOf('tally_delta', count)
  await execute(system, insert)
  await execute(system, sql`delete from tally_delta`)
  await expect.poll(() => blocksOf('tally_delta', count)).toBeLessThan(70)
})
