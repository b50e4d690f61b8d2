import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#server/core/database/open-database.ts'
import { waitForDatabase } from '#server/core/database/wait-for-database.ts'
import { testDatabase } from '#server/testing/database.ts'

const { url } = await testDatabase()
const { host } = new URL(url)

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
  await waitForDatabase(database, 0)
})
