import { expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase } from '#server/core/database/open-database.ts'
import { createLogger } from '#server/core/log.ts'
import { testDatabase } from '#server/testing/database.ts'
import { type MachineClock, startDatabaseClock } from './database-clock.ts'

const { database, url } = await testDatabase()
const { pool } = database
const silent = createLogger('silent')

/** Stands for a connection that was just made: behind a pooler, the pool sets its time zone. */
const CONNECTED = { query: async () => {} }

/** The machine's clocks, shifted by an amount each test sets. */
function machine() {
  const shift = { wall: 0, steady: 0 }
  const clock: MachineClock = {
    wall: () => Date.now() + shift.wall,
    steady: () => performance.now() + shift.steady,
  }
  return { shift, clock }
}

async function start(clock?: MachineClock, log: Parameters<typeof startDatabaseClock>[1] = silent) {
  const started = await startDatabaseClock(pool, log, clock)
  onTestFinished(() => started.stop())
  return started
}

/** How far the clock is ahead of the database, which is read in between. */
async function aheadMs(now: () => Date): Promise<{ atLeast: number; atMost: number }> {
  const client = await pool.connect()
  try {
    const before = now().getTime()
    const { rows } = await client.query<{ ms: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
    )
    const after = now().getTime()
    const database = rows[0]?.ms ?? Number.NaN
    return { atLeast: before - database, atMost: after - database }
  } finally {
    client.release()
  }
}

/** Dates are cut to whole milliseconds, and a busy machine delays an answer. */
const TOLERANCE_MS = 50

async function expectDatabaseTime(now: () => Date) {
  const ahead = await aheadMs(now)
  expect(ahead.atLeast).toBeLessThan(TOLERANCE_MS)
  expect(ahead.atMost).toBeGreaterThan(-TOLERANCE_MS)
}

test('follows the database however wrong the machine’s clock is', async () => {
  const { shift, clock } = machine()
  shift.wall = -120_000
  await expectDatabaseTime((await start(clock)).now)
})

test('ignores changes to the machine’s clock while it runs', async () => {
  const { shift, clock } = machine()
  const { now } = await start(clock)
  shift.wall = 3_600_000
  await expectDatabaseTime(now)
})

test('catches up after the machine slept, although the steady timer stopped', async () => {
  const { shift, clock } = machine()
  const { now } = await start(clock)
  // An hour of sleep leaves the steady timer an hour behind the others.
  shift.steady -= 3_600_000
  await expect.poll(async () => (await aheadMs(now)).atMost > -TOLERANCE_MS).toBe(true)
  await expectDatabaseTime(now)
})

test('reads the time again after a new connection, and logs once when it was far off', async () => {
  const { shift, clock } = machine()
  const warn = vi.fn()
  const { now } = await start(clock, { warn })
  shift.steady += 60_000
  shift.wall += 60_000
  expect((await aheadMs(now)).atLeast).toBeGreaterThan(59_000)
  pool.emit('connect', CONNECTED)
  await expect.poll(async () => Math.abs((await aheadMs(now)).atMost) < TOLERANCE_MS).toBe(true)
  expect(warn).toHaveBeenCalledOnce()
})

test('never runs backwards when a reading finds it slightly fast', async () => {
  const { shift, clock } = machine()
  const { now } = await start(clock)
  shift.wall += 900
  shift.steady += 900
  let latest = now().getTime()
  expect((await aheadMs(now)).atLeast).toBeGreaterThan(800)

  const isRight = async () => {
    // Takes effect once a second has passed since the first reading.
    pool.emit('connect', CONNECTED)
    const time = now().getTime()
    expect(time).toBeGreaterThanOrEqual(latest)
    latest = time
    return (await aheadMs(now)).atLeast < TOLERANCE_MS
  }
  await expect.poll(isRight, { timeout: 10_000, interval: 1 }).toBe(true)
})

test('replaces a connection that breaks while the time is read, and the process continues', async () => {
  const own = openDatabase({ url, connections: 1, onError: () => {} })
  onTestFinished(() => own.close())
  const sockets: { destroy: (error: Error) => void }[] = []
  own.pool.on('connect', (client) => {
    // The types omit the client's socket.
    sockets.push((client as unknown as { connection: { stream: (typeof sockets)[number] } }).connection.stream)
  })
  const { clock } = machine()
  let looks = 0
  const steady = () => {
    looks += 1
    if (looks === 3) sockets[0]?.destroy(new Error('cut'))
    return clock.steady()
  }

  const started = await startDatabaseClock(own.pool, silent, { ...clock, steady })
  onTestFinished(() => started.stop())

  expect(sockets).toHaveLength(2)
  await expectDatabaseTime(started.now)
})
