import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { connectTo, DatabaseClient } from '#server/core/database/database-client.ts'
import { openDatabase } from '#server/core/database/open-database.ts'
import { waitForDatabase } from '#server/core/database/wait-for-database.ts'
import { testDatabase } from '#server/testing/database.ts'
import { eventually } from '#server/testing/eventually.ts'
import { IS_STRESS } from '#server/testing/scaled.ts'
import { severableProxy } from '#server/testing/severable-proxy.ts'
import { WAIT_LIMIT_MS } from '#server/testing/wait-until.ts'

const { url } = await testDatabase()
const { host } = new URL(url)

/** Old objects are collected for these rows alone, also where the machine is busy and the process has pauses. */
const SMALL_SPACE = ['--max-semi-space-size=1', '--no-memory-reducer']
const READS_ROWS = fileURLToPath(new URL('../../testing/old-objects.ts', import.meta.url))

/** A pool at an address whose hosts are these. */
function openAt(address: string) {
  const database = openDatabase({ url: address, connections: 2, onError: () => {} })
  onTestFinished(() => database.close())
  return database
}

test('a host that accepts connections and never answers is asked once, then the next one', async () => {
  let asked = 0
  const silent = createServer((socket) => {
    asked += 1
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void silent.close())
  const bound = silent.address()
  const port = typeof bound === 'object' ? bound?.port : undefined

  const { pool } = openAt(url.replace(host, `127.0.0.1:${port},${host}`))
  const clients = [await pool.connect(), await pool.connect()]
  for (const client of clients) client.release()
  expect(asked).toBe(1)
})

test('a connection that breaks the moment the pool hands it over does not end the process', async () => {
  const { pool } = openAt(url)
  const [first, second] = [await pool.connect(), await pool.connect()]
  const third = pool.connect()
  first.release()
  // The answer of a statement and the end of the server may arrive together.
  expect(() => first.emit('error', new Error('terminating connection due to unexpected postmaster exit'))).not.toThrow()
  for (const client of [await third, second]) client.release()
})

test('a statement that is not answered in its time fails, and the next one has another connection', async () => {
  const { pool } = openAt(url)
  const backend = async () => (await pool.query('select pg_backend_pid() as id')).rows[0].id
  const first = await backend()
  const late = { text: 'select pg_sleep(60)', query_timeout: 50 }
  await expect(pool.query(late)).rejects.toThrow('Query read timeout')
  expect(await backend()).not.toBe(first)
})

/** A pool whose connections can be swallowed on their way. */
async function swallowable() {
  const way = await severableProxy(new URL(url))
  onTestFinished(() => way.cut())
  const patient = { ...connectTo(way.url), connectionTimeoutMillis: WAIT_LIMIT_MS }
  const pool = new pg.Pool({ ...patient, query_timeout: 200, max: 3 })
  pool.on('error', () => {})
  return { way, pool }
}

test('where what is sent is swallowed, every statement ends in its time, and so does opening a connection', async () => {
  const { way, pool } = await swallowable()
  const [first, second] = [await pool.connect(), await pool.connect()]
  way.swallow()
  await expect(first.query('BEGIN')).rejects.toThrow('Query read timeout')
  await expect(second.query('select $1::int', [1])).rejects.toThrow('Query read timeout')
  const third = new DatabaseClient({ ...connectTo(way.url), connectionTimeoutMillis: 200 })
  await expect(third.connect()).rejects.toThrow('timeout')
  for (const client of [first, second]) client.release(true)
  await pool.end()
})

test('a connection that is given up while it is swallowed is closed on our side', async () => {
  const { way, pool } = await swallowable()
  const clients = [await pool.connect(), await pool.connect(), await pool.connect()]
  expect(way.open()).toBe(3)
  way.swallow()
  for (const client of clients) client.release(true)
  await eventually('the connections are closed', way.open).toBe(0)
})

test('connecting fails where the client is ended before', async () => {
  const { way } = await swallowable()
  way.swallow()
  const client = new DatabaseClient(connectTo(way.url))
  const connecting = client.connect()
  await eventually('the connection is on its way', way.open).toBe(1)
  void client.end()
  await expect(connecting).rejects.toThrow('Connection terminated')
})

test('once a statement had no answer, the idle connections beside it are not used again', async () => {
  const way = await severableProxy(new URL(url))
  const { pool, close } = openDatabase({
    url: way.url,
    connections: 4,
    keptConnections: 4,
    connectTimeoutMs: WAIT_LIMIT_MS,
    onError: () => {},
  })
  const clients = await Promise.all(Array.from({ length: 4 }, () => pool.connect()))
  for (const client of clients) client.release()
  expect(pool.idleCount).toBe(4)
  way.swallow()
  way.letNewOnesThrough()
  const asked = { text: 'select', query_timeout: 200 }
  await expect(pool.query(asked)).rejects.toThrow('Query read timeout')
  await eventually('the pool has let go of them', () => pool.totalCount).toBe(0)
  await pool.query('select')
  await close()
  await way.cut()
})

test.runIf(IS_STRESS).each([{}, { query_timeout: 60_000 }])(
  'rows that nobody holds are collected with the new objects, and not with the old ones: %j',
  async (options) => {
    const program = fork(READS_ROWS, { execArgv: SMALL_SPACE })
    onTestFinished(() => void program.kill())
    program.send({ url, options })
    const [collected] = await once(program, 'message')
    expect(collected.ofNew).toBeGreaterThan(100)
    // Once or never; five times where rows become old.
    expect(collected.ofOld).toBeLessThan(4)
  },
)

test('where the address asks for a server that accepts writes, a read-only one is unavailable, and one line says why', async () => {
  const address = new URL(url)
  const name = address.pathname.slice(1)
  address.searchParams.set('target_session_attrs', 'read-write')
  const database = openAt(address.href)
  const { pool } = openAt(url)
  await pool.query(`alter database ${name} set default_transaction_read_only = on`)
  await expect(waitForDatabase(database, 0)).rejects.toThrow(
    /^The database did not answer within 0 s: \S+ is read-only$/,
  )

  // This session keeps what it began with.
  await pool.query(`alter database ${name} set default_transaction_read_only = off`)
  await waitForDatabase(database, WAIT_LIMIT_MS)
})
