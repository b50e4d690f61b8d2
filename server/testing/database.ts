import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { type Database, openDatabase } from '#server/core/database/open-database.ts'
import { nameStatementsIfKept, setRoleSettings } from '#server/core/database/pooler.ts'
import { channelFactoriesOf } from '#server/testing/channel-factories.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { asAdmin, databaseUrl } from '#server/testing/global-setup.ts'
import { WAIT_LIMIT_MS } from '#server/testing/wait-until.ts'
import { whenOver } from '#server/testing/when-over.ts'
import { withItems } from '#server/testing/with-items.ts'
import { expectRightItems } from '#server/testing/wrong-items.ts'

/** For each file's database: more connections start slowly, and some tests use them all. A busy machine may take long to open one. */
const OPTIONS = { connections: 6, connectTimeoutMs: WAIT_LIMIT_MS, onError: () => {} }

/** A migrated database for this test or test file alone, dropped when it is done: before most of it was written to disk; and its factories. */
export async function testDatabase() {
  const server = inject('testServer')
  const name = `${server.prefix}_${randomBytes(4).toString('hex')}`
  await asAdmin(server.url, (admin) =>
    admin.query(`create database ${name} template ${server.template} strategy file_copy`),
  )
  const url = databaseUrl(server.url, name)
  const database = await connectTo(url, server.pooler)
  whenOver(async () => {
    await database.close()
    await asAdmin(server.url, (admin) => admin.query(`drop database ${name} with (force)`))
  })
  // After that, as the last hook of a file runs first.
  expectRightItems(database)
  const kept = withItems(database)
  const make = { ...factoriesOf(kept), ...channelFactoriesOf(kept) }
  return { database: kept, url, prisma: kept.prisma, pool: kept.pool, make }
}

async function connectTo(url: string, pooler: string | undefined): Promise<Database> {
  if (pooler === undefined) return openDatabase({ ...OPTIONS, url })
  const pooled = databaseUrl(pooler, new URL(url).pathname.slice(1))
  const direct = openDatabase({ ...OPTIONS, url, connections: 1 })
  await setRoleSettings(direct.pool, pooled)
  await direct.close()
  const database = openDatabase({ ...OPTIONS, url: pooled, directUrl: url })
  await nameStatementsIfKept(database, pooled)
  return database
}
