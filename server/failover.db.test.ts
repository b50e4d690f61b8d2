import { afterAll, expect, test } from 'vitest'
import { listen } from '#server/core/database/listen.ts'
import { openDatabase } from '#server/core/database/open-database.ts'
import { createLogger } from '#server/core/log.ts'
import { startReplicatedPostgres } from '#server/testing/replicated-postgres.ts'

const servers = await startReplicatedPostgres()
afterAll(servers.stop)

test('with several hosts it writes and listens on the primary, and on the promoted standby once that is killed', async () => {
  const database = openDatabase({ url: servers.url, connections: 4, onError: () => {} })
  afterAll(() => database.close())
  const heard: string[] = []
  const listener = listen(database.pool, {
    channels: ['docket_test'],
    onNotice: (_, payload) => heard.push(payload),
    onConnected: () => {},
    log: createLogger('silent'),
  })
  afterAll(listener.stop)
  const notify = async () => {
    await database.pool.query(`notify docket_test, 'heard'`)
    return heard
  }
  const add = (n: number) => database.pool.query('insert into written values ($1)', [n])

  await database.pool.query('create table written (n int)')
  await add(1)
  await listener.connected
  await servers.killPrimary()
  await expect(add(2)).rejects.toThrow()
  await expect(add(2)).rejects.toThrow('no host of the database address accepts writes')

  await servers.promote()
  await add(3)
  await expect.poll(notify, { timeout: 30_000, interval: 100 }).toContain('heard')
  const { rows } = await database.pool.query(
    'select array_agg(n order by n) as all, pg_is_in_recovery() as standby from written',
  )
  expect(rows).toEqual([{ all: [1, 3], standby: false }])
})
