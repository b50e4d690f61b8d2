import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { connectTo } from '#server/core/database/database-client.ts'
import { setRoleSettings } from '#server/core/database/pooler.ts'
import { testDatabase } from '#server/testing/database.ts'

/** A database as before the first start behind a pooler. */
async function databaseWithoutSettings() {
  const { database, url } = await testDatabase()
  const [role, name] = [new URL(url).username, new URL(url).pathname.slice(1)].map(decodeURIComponent)
  await database.pool.query(
    `alter role ${pg.escapeIdentifier(role ?? '')} in database ${pg.escapeIdentifier(name ?? '')} reset all`,
  )
  // The server of tests is embedded: its address names sessions.
  return { pool: database.pool, url: Object.assign(new URL(url), { search: '' }).href }
}

/** Opens an idle connection. */
async function connectWith(options: pg.ClientConfig) {
  const client = new pg.Client(options)
  const ended = new Promise<void>((resolve) => client.once('end', resolve))
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.end().catch(() => {}))
  return { client, ended }
}

test('setting up the role closes the idle connections of Docket, and none of other programs with that role', async () => {
  const { pool, url } = await databaseWithoutSettings()
  const [own, behindPooler, other, unnamed] = await Promise.all([
    connectWith(connectTo(url)),
    connectWith({ connectionString: url, application_name: 'docket - 10.0.0.1:54321' }),
    connectWith({ connectionString: url, application_name: 'nightly figures' }),
    connectWith({ connectionString: url }),
  ])
  expect(await setRoleSettings(pool, url)).toBeGreaterThanOrEqual(2)
  await Promise.all([own.ended, behindPooler.ended])
  for (const { client } of [other, unnamed]) expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test('setting up the role knows Docket’s connections by the name that the address gives them', async () => {
  const { pool, url } = await databaseWithoutSettings()
  const named = Object.assign(new URL(url), { search: '?application_name=desk' }).href
  const [own, other] = await Promise.all([
    connectWith(connectTo(named)),
    connectWith({ connectionString: url, application_name: 'nightly figures' }),
  ])
  expect(await setRoleSettings(pool, named)).toBe(1)
  await own.ended
  expect((await other.client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})
