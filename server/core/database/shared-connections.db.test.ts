import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase } from '#server/core/database/open-database.ts'
import { NO_PREPARE } from '#server/core/database/statement-names.ts'
import {
  execute,
  inTransaction,
  onSharedConnections,
  onSharedWriteConnections,
  query,
  queryOne,
  type Sql,
  sql,
} from '#server/core/db.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { url } = await testDatabase()
const BACKEND = sql`pg_backend_pid() as backend`
const LOCK = sql`pg_advisory_xact_lock(261)`
const WAITING = sql`count(*)::int as waiting from pg_locks where locktype = 'advisory' and objid = 261 and not granted`

/** A pool of its own, and a context whose reads share its connections. */
function sharing({ keepsReadsApart = false } = {}) {
  const database = openDatabase({ url, connections: 8, keepsReadsApart, onError: () => {} })
  onTestFinished(() => database.close())
  const owned = systemCtx(database)
  const ctx = onSharedConnections(owned)
  const backendOf = async (statement: Sql) => (await queryOne<{ backend: number }>(ctx, statement))?.backend
  return { pool: database.pool, owned, ctx, backendOf }
}

/** Lets nothing else run in this process. */
function beBusy(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

/** Waits for so many milliseconds in PostgreSQL. */
const slow = (ms: number) => sql`select ${BACKEND} from pg_sleep(${ms / 1_000}::float8)`

test('many reads at once take two connections, each gets its own answer, and all connections are given back', async () => {
  const { pool, ctx } = sharing()
  const numbers = Array.from({ length: 50 }, (_, index) => index)
  const read = await Promise.all(
    numbers.map((number) => queryOne<{ number: number }>(ctx, sql`select ${number}::int as number`)),
  )
  expect(read.map((row) => row?.number)).toEqual(numbers)
  expect(pool.totalCount).toBe(2)
  expect(pool.idleCount).toBe(2)
})

test('where reads have connections of their own, these stay the same ones, and reads take others only while these are slow', async () => {
  const { pool, owned, ctx, backendOf } = sharing({ keepsReadsApart: true })
  const readMany = async () =>
    new Set(await Promise.all(Array.from({ length: 20 }, () => backendOf(sql`select ${BACKEND}`))))
  const first = await readMany()
  // A pool hands out the connection that was given back last.
  await Promise.all([1, 2, 3].map(() => execute(owned, slow(10))))
  expect(await readMany()).toEqual(first)
  expect([pool.reads?.totalCount, pool.totalCount]).toEqual([2, 3])

  const waiting = await inTransaction(owned, async (holder) => {
    await query(holder, sql`select ${LOCK}`)
    const reads = [1, 2].map(() => query(ctx, sql`select ${LOCK}`))
    await expect.poll(() => queryOne(holder, sql`select ${WAITING}`)).toEqual({ waiting: 2 })
    // Longer than a connection may take to answer before it counts as stuck.
    await sleep(100)
    expect(await backendOf(sql`select ${BACKEND}`)).not.toBeOneOf([...first])
    return { reads }
  })
  await Promise.all(waiting.reads)
  expect(await readMany()).toEqual(first)
})

test('an error of one statement leaves the others on its connection their answers', async () => {
  const { pool, ctx } = sharing()
  const read = await Promise.allSettled(
    [1, 1, 0, 0, 1, 1].map((divisor) => query(ctx, sql`select 1 / ${divisor}::int as quotient`)),
  )
  expect(read.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'rejected',
    'fulfilled',
    'fulfilled',
  ])
  expect([pool.totalCount, pool.idleCount]).toEqual([2, 2])
})

test('a connection that takes long to open is not given up for others', async () => {
  const { pool, ctx } = sharing()
  const connect = pool.connect.bind(pool)
  vi.spyOn(pool, 'query').mockRejectedValue(new Error('took a connection of its own'))
  const opening = Promise.withResolvers<void>()
  vi.spyOn(pool, 'connect').mockImplementation(async () => {
    await opening.promise
    return connect()
  })
  const first = [1, 2].map((number) => query(ctx, sql`select ${number}::int as number`))
  // Longer than a connection that is open may take to answer.
  await sleep(50)
  const later = [3, 4, 5, 6].map((number) => query(ctx, sql`select ${number}::int as number`))
  opening.resolve()
  expect((await Promise.all([...first, ...later])).flat()).toEqual([1, 2, 3, 4, 5, 6].map((number) => ({ number })))
})

test('a connection whose answers this process had no time to read is not given up for others', async () => {
  const { pool, ctx } = sharing()
  const readOne = () => query(ctx, sql`select 1 as number`)
  await Promise.all([readOne(), readOne()])
  const reads = [readOne(), readOne()]
  // By now they are sent. They are answered while this process is busy.
  await setImmediate()
  for (let time = 1; time <= 5; time += 1) {
    beBusy(50)
    reads.push(readOne())
    await sleep(0)
  }
  await Promise.all(reads)
  expect(pool.totalCount).toBe(2)
})

test('a read does not wait for two slow ones that came before it', async () => {
  const { owned, ctx, backendOf } = sharing()
  let answered = 0
  const waiting = await inTransaction(owned, async (holder) => {
    await query(holder, sql`select ${LOCK}`)
    const reads = [1, 2].map(() => query(ctx, sql`select ${LOCK}`).then(() => (answered += 1)))
    await expect.poll(() => queryOne(holder, sql`select ${WAITING}`)).toEqual({ waiting: 2 })
    // Longer than a connection may take to answer before it counts as stuck.
    await sleep(100)
    expect(await backendOf(sql`select ${BACKEND}`)).toBeTypeOf('number')
    expect(answered).toBe(0)
    return { reads }
  })
  await Promise.all(waiting.reads)
})

test('a statement that is planned for its values runs on a connection of its own', async () => {
  const { backendOf } = sharing()
  const planned = sql`select ${BACKEND} ${NO_PREPARE}`
  const backends = await Promise.all([slow(50), slow(50), planned].map((statement) => backendOf(statement)))
  expect(new Set(backends).size).toBe(3)
})

test('what was sent on a connection that ends fails, and the next read gets another', async () => {
  const { pool, owned, ctx, backendOf } = sharing()
  const cut = Promise.allSettled(Array.from({ length: 6 }, () => query(ctx, slow(20_000))))
  const asleep = sql`from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`
  await expect.poll(() => execute(owned, sql`select pid ${asleep}`)).toBe(2)
  await execute(owned, sql`select pg_terminate_backend(pid) ${asleep}`)
  expect((await cut).map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 'rejected'))
  expect(await backendOf(sql`select ${BACKEND}`)).toBeTypeOf('number')
  expect(pool.idleCount).toBe(pool.totalCount)
})

test('a transaction begun in a call that shares connections has its own', async () => {
  const { owned, ctx } = sharing()
  const failing = inTransaction(ctx, async (inside) => {
    expect(onSharedConnections(inside)).toBe(inside)
    await execute(inside, sql`insert into category (category_id) values ('shared')`)
    expect(await query(ctx, sql`select from category where category_id = 'shared'`)).toEqual([])
    throw new Error('too late')
  })
  await expect(failing).rejects.toThrow('too late')
  expect(await query(owned, sql`select from category where category_id = 'shared'`)).toEqual([])
})

test('many writes at once take five connections, and one that is rejected leaves the others committed', async () => {
  const { pool, owned } = sharing()
  const ctx = onSharedWriteConnections(owned)
  const ids = Array.from({ length: 50 }, (_, index) => `written-${index % 49}`)
  const written = await Promise.allSettled(
    ids.map((id) => execute(ctx, sql`insert into category (category_id) values (${id})`)),
  )
  expect(written.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  expect([pool.totalCount, pool.idleCount]).toEqual([5, 5])
  expect(await query(owned, sql`select from category where category_id like 'written-%'`)).toHaveLength(49)
})
