import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#server/core/database/open-database.ts'
import { NO_PREPARE } from '#server/core/database/statement-names.ts'
import {
  execute,
  inTransaction,
  onSharedConnections,
  onSharedWriteConnections,
  query,
  queryOne,
  sql,
} from '#server/core/db.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { eventually } from '#server/testing/eventually.ts'
import { WAIT_LIMIT_MS, waitUntil } from '#server/testing/wait-until.ts'

const { url } = await testDatabase()
const LOCK = sql`pg_advisory_xact_lock(261)`
const WAITING = sql`from pg_locks where locktype = 'advisory' and objid = 261 and not granted`
/** Of the transaction that has the lock. */
const PATIENCE = { limitMs: 3 * WAIT_LIMIT_MS }

/** A pool of its own, and a context whose reads share its connections. */
function sharing({ keepsReadsApart = false } = {}) {
  const database = openDatabase({ url, connections: 8, keepsReadsApart, onError: () => {} })
  onTestFinished(() => database.close())
  const { pool } = database
  const owned = systemCtx(database)
  const pools = [pool, pool.reads ?? pool]
  return {
    owned,
    ctx: onSharedConnections(owned),
    allGivenBack: () =>
      eventually('all connections are given back', () =>
        pools.every(({ totalCount, idleCount, waitingCount }) => totalCount === idleCount && waitingCount === 0),
      ).toBe(true),
  }
}

/** Acts while reads wait for a lock on all connections that reads share; they are answered afterwards. */
async function whileOthersWait({ owned, ctx }: ReturnType<typeof sharing>, act: () => Promise<void>): Promise<void> {
  const { reads } = await inTransaction(
    owned,
    async (holder) => {
      await query(holder, sql`select ${LOCK}`)
      let answered = 0
      const reads = Array.from({ length: 6 }, () => query(ctx, sql`select ${LOCK}`).then(() => (answered += 1)))
      await eventually('reads wait for the lock', () => execute(holder, sql`select ${WAITING}`)).toBeGreaterThan(0)
      await act()
      expect(answered).toBe(0)
      return { reads }
    },
    PATIENCE,
  )
  await Promise.all(reads)
}

test.each([
  { keepsReadsApart: false },
  { keepsReadsApart: true },
])('of many reads at once each gets its own answer, and all connections are given back: %j', async (options) => {
  const { ctx, allGivenBack } = sharing(options)
  const numbers = Array.from({ length: 50 }, (_, index) => index)
  const read = await Promise.all(
    numbers.map((number) => queryOne<{ number: number }>(ctx, sql`select ${number}::int as number`)),
  )
  expect(read.map((row) => row?.number)).toEqual(numbers)
  await allGivenBack()
})

test('an error of one statement leaves the others on its connection their answers', async () => {
  const { ctx, allGivenBack } = sharing()
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
  await allGivenBack()
})

test.each([
  { keepsReadsApart: false },
  { keepsReadsApart: true },
])('reads do not wait for slow ones that came long before them: %j', async (options) => {
  const pools = sharing(options)
  const reads: Promise<unknown>[] = []
  await whileOthersWait(pools, async () => {
    let isAnswered = false
    // Those that come just after the slow ones wait for them.
    await waitUntil('a read is answered', () => {
      reads.push(query(pools.ctx, sql`select 1 as number`).then(() => (isAnswered = true)))
      return isAnswered
    })
  })
  await Promise.all(reads)
  await pools.allGivenBack()
})

test('a statement that is planned for its values waits for no other', async () => {
  const pools = sharing()
  await whileOthersWait(pools, async () => {
    expect(await query(pools.ctx, sql`select 1 as number ${NO_PREPARE}`)).toEqual([{ number: 1 }])
  })
  await pools.allGivenBack()
})

test('what was sent on a connection that ends fails, and the next read gets another', async () => {
  const { owned, ctx, allGivenBack } = sharing()
  const cut = await inTransaction(
    owned,
    async (holder) => {
      await query(holder, sql`select ${LOCK}`)
      let ended = 0
      const reads = Array.from({ length: 6 }, () => query(ctx, sql`select ${LOCK}`).finally(() => (ended += 1)))
      const outcomes = Promise.allSettled(reads)
      await waitUntil('all connections with reads have ended', async () => {
        await execute(holder, sql`select pg_terminate_backend(pid) ${WAITING}`)
        return ended === reads.length
      })
      return outcomes
    },
    PATIENCE,
  )
  expect(cut.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 'rejected'))
  expect(await query(ctx, sql`select 1 as number`)).toEqual([{ number: 1 }])
  await allGivenBack()
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

test('of many writes at once, one that is rejected leaves the others committed, and all connections are given back', async () => {
  const { owned, allGivenBack } = sharing()
  const ctx = onSharedWriteConnections(owned)
  const ids = Array.from({ length: 50 }, (_, index) => `written-${index % 49}`)
  const written = await Promise.allSettled(
    ids.map((id) => execute(ctx, sql`insert into category (category_id) values (${id})`)),
  )
  expect(written.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  await allGivenBack()
  expect(await query(owned, sql`select from category where category_id like 'written-%'`)).toHaveLength(49)
})
