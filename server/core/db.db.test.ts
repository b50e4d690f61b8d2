import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { isDatabaseUnavailable } from '#server/core/database/database-failures.ts'
import { openDatabase } from '#server/core/database/open-database.ts'
import { NO_PREPARE } from '#server/core/database/statement-names.ts'
import { execute, inTransaction, query, sql } from '#server/core/db.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, url } = await testDatabase()
const ctx = systemCtx(database)
const add = (at: Pick<typeof ctx, 'db'>, name: string) =>
  execute(at, sql`insert into category (category_id) values (${name})`)
const exists = async (name: string) => (await database.prisma.category.count({ where: { categoryId: name } })) === 1

/** A context whose pool has a single connection. */
function narrowCtx() {
  const narrow = openDatabase({ url, connections: 1, onError: () => {} })
  onTestFinished(() => narrow.close())
  return systemCtx(narrow)
}

test('rolls back writes made before an error inside a transaction', async () => {
  const failing = inTransaction(ctx, async (ctx) => {
    await add(ctx, 'too early')
    throw new Error('too late')
  })
  await expect(failing).rejects.toThrow('too late')
  expect(await exists('too early')).toBe(false)
})

test('nothing is visible outside before the commit, and a nested transaction joins the outer one', async () => {
  await inTransaction(ctx, async (outer) => {
    await add(outer, 'outer')
    await inTransaction(outer, (inner) => add(inner, 'inner'))
    expect([await exists('outer'), await exists('inner')]).toEqual([false, false])
  })
  expect([await exists('outer'), await exists('inner')]).toEqual([true, true])
})

test('reads the same types inside a transaction and outside, and names columns in camelCase', async () => {
  const read = (at: typeof ctx) =>
    query(
      at,
      sql`
      select timestamptz '2026-01-02T03:04:05.678Z' as happened_at, 1 as small, 9007199254740993 as large, 1.5::numeric as exact,
        1.5::float8 as number, true as is_flagged, array['a', 'b'] as list, '{"a_b": 1}'::jsonb as document, null as nothing,
        'pending'::approval_status as state, '\\x00ff'::bytea as bytes, ${Uint8Array.of(1, 2)}::bytea as given, 1 as "asNamed"`,
    )
  const row = {
    happenedAt: new Date('2026-01-02T03:04:05.678Z'),
    small: 1,
    large: '9007199254740993',
    exact: '1.5',
    number: 1.5,
    isFlagged: true,
    list: ['a', 'b'],
    document: { a_b: 1 },
    nothing: null,
    state: 'pending',
    bytes: Buffer.of(0, 255),
    given: Buffer.of(1, 2),
    asNamed: 1,
  }
  expect(await read(ctx)).toEqual([row])
  expect(await inTransaction(ctx, read)).toEqual([row])
})

test('takes the name of a column as a name, whatever it says', async () => {
  const rows = await query(
    ctx,
    sql`select 1 as "a\\'b""]: c", 2 as "values[0] } throw", n as "n" from generate_series(3, 4) n`,
  )
  expect(rows).toEqual([3, 4].map((n) => ({ 'a\\\'b"]: c': 1, 'values[0] } throw': 2, n })))
  expect(await query(ctx, sql`select 1 as "a,b"`)).toEqual([{ 'a,b': 1 }])
  expect(await query(ctx, sql`select 1 as a, 2 as b`)).toEqual([{ a: 1, b: 2 }])
})

test('runs statements that are sent at the same time in one transaction, each once', async () => {
  const names = ['first', 'second', 'third']
  await inTransaction(ctx, (ctx) => Promise.all(names.map((name) => add(ctx, name))))
  expect(await Promise.all(names.map(exists))).toEqual([true, true, true])
})

test('a statement that comes after the end of its transaction fails, and does not run', async () => {
  const ended = Promise.withResolvers<void>()
  const late: Promise<unknown>[] = []
  const failing = inTransaction(narrowCtx(), async (ctx) => {
    late.push(ended.promise.then(() => add(ctx, 'late')))
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  ended.resolve()
  await expect(late[0]).rejects.toThrow('The transaction is over')
  expect(await exists('late')).toBe(false)
})

test('rolls back a transaction that takes longer than its limit, and its next statement fails', async () => {
  const ctx = narrowCtx()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const slow = inTransaction(
    ctx,
    async (ctx) => {
      await add(ctx, 'slow')
      vi.advanceTimersByTime(50)
      await add(ctx, 'slower')
    },
    { limitMs: 50 },
  )
  const error = await slow.catch((error: unknown) => error)
  vi.useRealTimers()
  expect(error).toEqual(new Error('The transaction took too long'))
  expect(isDatabaseUnavailable(error)).toBe(true)
  expect([await exists('slow'), await exists('slower')]).toEqual([false, false])
  expect(await query(ctx, sql`select 1 as one`)).toEqual([{ one: 1 }])
})

test('fails if a statement failed and the error was ignored: nothing of it can be committed', async () => {
  const careless = inTransaction(ctx, async (ctx) => {
    await add(ctx, 'careless')
    await add(ctx, 'careless').catch(() => {})
  })
  await expect(careless).rejects.toThrow('The transaction was rolled back')
  expect(await exists('careless')).toBe(false)
})

test('a connection that breaks between two statements fails the next one, and the pool opens another', async () => {
  const narrow = narrowCtx()
  const isBroken = Promise.withResolvers<void>()
  narrow.pool.on('connect', (client) => client.once('end', isBroken.resolve))
  const broken = inTransaction(narrow, async (inside) => {
    const [{ pid } = { pid: 0 }] = await query<{ pid: number }>(inside, sql`select pg_backend_pid() as pid`)
    await execute(ctx, sql`select pg_terminate_backend(${pid}::int)`)
    await isBroken.promise
    await add(inside, 'broken')
  })
  const error = await broken.catch((error: unknown) => error)
  expect(isDatabaseUnavailable(error)).toBe(true)
  expect(await exists('broken')).toBe(false)
  expect(await query(narrow, sql`select 1 as one`)).toEqual([{ one: 1 }])
})

test('keeps a plan for every statement except NO_PREPARE ones, inside a transaction and outside', async () => {
  const at = narrowCtx()
  const kept = sql`select category_id as id from category where category_id = ${'kept'}`
  const anew = sql`select category_id as id from category where category_id = ${'anew'} ${NO_PREPARE}`

  for (const statement of [kept, anew]) {
    await query(at, statement)
    await inTransaction(at, (at) => query(at, statement))
  }

  const prepared = sql`select statement as text from pg_prepared_statements where statement like 'select category_id%'`
  expect(await query(at, prepared)).toEqual([{ text: kept.text }])
})

test('a statement whose columns a migration changes is read again at once, in a transaction after one that the caller may retry', async () => {
  const ctx = narrowCtx()
  const columns = async (at: typeof ctx) => (await query<object>(at, sql`select * from changing`)).map(Object.keys)
  await execute(ctx, sql`create table changing as select 1 as first`)
  expect(await columns(ctx)).toEqual([['first']])
  await execute(ctx, sql`alter table changing add column second int`)
  expect(await columns(ctx)).toEqual([['first', 'second']])

  await execute(ctx, sql`alter table changing add column third int`)
  const failed = await inTransaction(ctx, columns).catch((error: unknown) => error)
  expect(isDatabaseUnavailable(failed)).toBe(true)
  expect(await inTransaction(ctx, columns)).toEqual([['first', 'second', 'third']])
})

test.each<[string, (ctx: ReturnType<typeof narrowCtx>, name: string) => Promise<unknown>]>([
  ['a statement', add],
  ['a transaction', (ctx, name) => inTransaction(ctx, (ctx) => add(ctx, name))],
  ['a transaction that ignores it', (ctx, name) => inTransaction(ctx, (ctx) => add(ctx, name).catch(() => {}))],
])('after a server rejected a write as read-only in %s, the pool opens another connection', async (where, write) => {
  const admin = new pg.Client(url)
  await admin.connect()
  onTestFinished(() => admin.end())
  const setReadOnly = (to: 'on' | 'off') =>
    admin.query(
      `do $$ begin execute format('alter database %I set default_transaction_read_only = ${to}', current_database()); end $$`,
    )
  await setReadOnly('on')
  const ctx = narrowCtx()
  // Sessions keep what they began with: this one stays read-only.
  await query(ctx, sql`select`)
  await setReadOnly('off')

  await expect(write(ctx, where)).rejects.toThrow()
  await write(ctx, where)
  expect(await exists(where)).toBe(true)
})
