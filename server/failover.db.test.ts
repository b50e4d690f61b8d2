import { afterAll, expect, test } from 'vitest'
import { listen } from '#server/core/database/listen.ts'
import { openDatabase } from '#server/core/database/open-database.ts'
import { createLogger } from '#server/core/log.ts'
import { eventually } from '#server/testing/eventually.ts'
import { startReplicatedPostgres } from '#server/testing/replicated-postgres.ts'
import { whenOver } from '#server/testing/when-over.ts'

const servers = await startReplicatedPostgres()
afterAll(servers.stop)

test('with several hosts it writes and listens on the primary, and on the promoted standby once that is killed', async () => {
  const database = openDatabase({ url: servers.url, connections: 4, onError: () => {} })
  whenOver(() => database.close())
  const heard: string[] = []
  let connections = 0
  const listener = listen(database.pool, {
    channels: ['docket_test'],
    onNotice: (_, payload) => heard.push(payload),
    onConnected: () => {
      connections += 1
    },
    log: createLogger('silent'),
  })
  whenOver(listener.stop)
  const add = (n: number) => database.pool.query('insert into written values ($1)', [n])

  await database.pool.query('create table written (n int)')
  await add(1)
  await listener.connected
  await servers.killPrimary()
  await expect(add(2)).rejects.toThrow()
  await expect(add(2)).rejects.toThrow('no host of the database address accepts writes')

  await servers.promote()
  await add(3)
  await eventually('it listens again', () => connections).toBeGreaterThan(1)
  await database.pool.query(`notify docket_test, 'heard'`)
  await eventually('it hears', () => heard).toEqual(['heard'])
  const { rows } = await database.pool.query(
    'select array_agg(n order by n) as all, pg_is_in_recovery() as standby from written',
  )
  expect(rows).toEqual([{ all: [1, 3], standby: false }])
})
