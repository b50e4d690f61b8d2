import { EventEmitter } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Pool } from '#server/core/database/db-types.ts'
import { openDatabase } from '#server/core/database/open-database.ts'
import { createLogger } from '#server/core/log.ts'
import { testDatabase } from '#server/testing/database.ts'
import { type MachineClock, startDatabaseClock } from './database-clock.ts'

const { url, pool } = await testDatabase()
const silent = createLogger('silent')
const START = Date.parse('2026-02-28T23:59:59Z')
const HOUR_MS = 3_600_000
/** A busy machine delays an answer, but not by this much. */
const TOLERANCE_MS = HOUR_MS / 2

async function start(pool: Pool, clock?: MachineClock, log: Parameters<typeof startDatabaseClock>[1] = silent) {
  const started = await startDatabaseClock(pool, log, clock)
  onTestFinished(() => started.stop())
  return started
}

async function expectDatabaseTime(now: () => Date) {
  const { rows } = await pool.query<{ at: Date }>('select clock_timestamp() as at')
  expect(Math.abs(now().getTime() - Number(rows[0]?.at))).toBeLessThan(TOLERANCE_MS)
}

/** The machine's two clocks, and that of a database which answers at once: they advance only with the test. */
function clocks() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const at = { database: START, wall: START, steady: 0 }
  const pool = Object.assign(new EventEmitter(), { query: async () => ({ rows: [{ ms: at.database }] }) })
  return {
    at,
    pool: pool as unknown as Pool,
    clock: { wall: () => at.wall, steady: () => at.steady },
    pass: (ms: number) => {
      for (const name of ['database', 'wall', 'steady'] as const) at[name] += ms
    },
    /** Connects once more; resolves when the time has been read, if it is. */
    connect: async () => {
      pool.emit('connect')
      await setImmediate()
    },
  }
}

test('follows the database however wrong the machine’s clock is', async () => {
  const machine = { wall: () => Date.now() - 24 * HOUR_MS, steady: () => performance.now() }
  await expectDatabaseTime((await start(pool, machine)).now)
})

test('ignores changes to the machine’s clock while it runs', async () => {
  const { at, pool, clock, pass } = clocks()
  const { now } = await start(pool, clock)
  at.wall += HOUR_MS
  pass(5)
  expect(now().getTime()).toBe(at.database)
  await setImmediate()
  expect(now().getTime()).toBe(at.database)
})

test('catches up after the machine slept, although the steady timer stopped', async () => {
  const { at, pool, clock, pass } = clocks()
  const { now } = await start(pool, clock)
  pass(HOUR_MS)
  at.steady -= HOUR_MS
  now()
  await setImmediate()
  expect(now().getTime()).toBe(at.database)
})

test('reads the time again after a new connection, and logs once when it was far off', async () => {
  const { at, pool, clock, pass, connect } = clocks()
  const warn = vi.fn()
  const { now } = await start(pool, clock, { warn })
  at.database -= HOUR_MS
  pass(1_000)
  await connect()
  expect(now().getTime()).toBe(at.database + HOUR_MS)

  pass(1)
  await connect()
  expect(now().getTime()).toBe(at.database)
  pass(2_000)
  await connect()
  expect(now().getTime()).toBe(at.database)
  expect(warn).toHaveBeenCalledOnce()
})

test('never runs backwards when a reading finds it slightly fast', async () => {
  const { at, pool, clock, pass, connect } = clocks()
  const warn = vi.fn()
  const { now } = await start(pool, clock, { warn })
  pass(2_000)
  at.database -= 900
  const fast = now().getTime()
  expect(fast).toBe(at.database + 900)

  await connect()
  expect(now().getTime()).toBe(fast)
  pass(899)
  expect(now().getTime()).toBe(fast)
  pass(2)
  expect(now().getTime()).toBe(at.database)
  expect(warn).not.toHaveBeenCalled()
})

test('replaces a connection that breaks while the time is read, and the process continues', async () => {
  const own = openDatabase({ url, connections: 1, onError: () => {} })
  onTestFinished(() => own.close())
  const sockets: { destroy: (error: Error) => void }[] = []
  own.pool.on('connect', (client) => {
    // The types omit the client's socket.
    sockets.push((client as unknown as { connection: { stream: (typeof sockets)[number] } }).connection.stream)
  })
  let looks = 0
  const steady = () => {
    looks += 1
    if (looks === 3) sockets[0]?.destroy(new Error('cut'))
    return performance.now()
  }

  const { now } = await start(own.pool, { wall: Date.now, steady })

  expect(sockets.length).toBeGreaterThan(1)
  await expectDatabaseTime(now)
})
