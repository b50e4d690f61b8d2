import { expect, onTestFinished, test } from 'vitest'
import { inTransaction, NO_PREPARE, openDatabase, Prisma, query } from '#server/core/db.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, url } = await testDatabase()
const ctx = systemCtx(database)
const add = (at: typeof ctx, name: string) =>
  query(at, Prisma.sql`insert into category (category_id) values (${name}) returning 1`)
const exists = async (name: string) => (await database.prisma.category.count({ where: { categoryId: name } })) === 1

test('rolls back writes made before an error inside a transaction', async () => {
  const failing = inTransaction(ctx, async (ctx) => {
    await add(ctx, 'by statement')
    await ctx.db.category.create({ data: { categoryId: 'by client' } })
    throw new Error('too late')
  })
  await expect(failing).rejects.toThrow('too late')
  expect([await exists('by statement'), await exists('by client')]).toEqual([false, false])
})

test('nothing is visible outside before the commit, and a nested transaction joins the outer one', async () => {
  await inTransaction(ctx, async (outer) => {
    await add(outer, 'outer')
    await inTransaction(outer, (inner) => add(inner, 'inner'))
    expect([await exists('outer'), await exists('inner')]).toEqual([false, false])
  })
  expect([await exists('outer'), await exists('inner')]).toEqual([true, true])
})

test('both ways of running a statement read the same types', async () => {
  const read = (at: typeof ctx) =>
    query<Record<string, unknown>>(
      at,
      Prisma.sql`
      select timestamptz '2026-01-02T03:04:05.678Z' as at, 1 as small, true as flag, array['a', 'b'] as list, '{"a": 1}'::jsonb as document,
        1.5::float8 as number, null as nothing, 'pending'::approval_status as state, '\\x00ff'::bytea as bytes`,
    )
  const [[pooled], [inside]] = await Promise.all([read(ctx), inTransaction(ctx, read)])
  const plain = (row: Record<string, unknown> | undefined) => ({
    ...row,
    bytes: Buffer.from(row?.bytes as Uint8Array).toString('hex'),
  })
  expect(plain(inside)).toEqual(plain(pooled))
})

test('keeps a plan for every statement except NO_PREPARE ones, inside a transaction and outside', async () => {
  const narrow = openDatabase({ url, connections: 1, onError: () => {} })
  onTestFinished(() => narrow.close())
  const at = systemCtx(narrow)
  const kept = Prisma.sql`select category_id as id from category where category_id = ${'kept'}`
  const anew = Prisma.sql`select category_id as id from category where category_id = ${'anew'} ${NO_PREPARE}`

  for (const statement of [kept, anew]) {
    await query(at, statement)
    await inTransaction(at, (at) => query(at, statement))
  }

  const prepared = await query<{ text: string; runs: number }>(
    at,
    Prisma.sql`
    select statement as text, (generic_plans + custom_plans)::int as runs from pg_prepared_statements
    where statement like 'select category_id%'`,
  )
  expect(prepared).toEqual([{ text: kept.text, runs: 2 }])
})
