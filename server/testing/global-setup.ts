import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../prisma/migrate.ts'
import { startTestServer } from '../../prisma/scratch-database.ts'
import { startOlderPostgres } from './older-postgres.ts'
import { startPooler } from './pooler.ts'
import { writeCatalogue } from './row-types/catalogue.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server on which tests create their databases, and the template they are cloned from. */
    testServer: {
      url: string
      template: string
      prefix: string
      /** With TEST_THROUGH_POOLER: the address of a pooler, through which `testDatabase` connects. */
      pooler?: string | undefined
    }
  }
}

/** Of the pooler of TEST_THROUGH_POOLER. Files come and go, each with its own database. */
const POOLER = ['default_pool_size = 20', 'server_idle_timeout = 2']

/**
 * One server for the whole run, with one migrated template that each file clones; what a broken-off file left is dropped at the end. TEST_POSTGRES=16 or 17
 * takes a server of that version; TEST_THROUGH_POOLER=true puts PgBouncer before it.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { TEST_POSTGRES, TEST_THROUGH_POOLER } = process.env
  const server = TEST_POSTGRES
    ? await startOlderPostgres(TEST_POSTGRES)
    : await startTestServer((line) => console.log(line))
  const pooler = TEST_THROUGH_POOLER ? await startPooler(server.url, POOLER) : undefined
  process.env.DATABASE_URL = server.url
  const prefix = `docket_test_${randomBytes(4).toString('hex')}`
  const template = `${prefix}_template`
  await asAdmin(server.url, (admin) => admin.query(`create database ${template} template template0`))
  await migrateTemplate(databaseUrl(server.url, template))
  project.provide('testServer', { url: server.url, template, prefix, pooler: pooler?.through(server.url) })

  return async () => {
    await asAdmin(server.url, async (admin) => {
      const databases = await admin.query<{ name: string }>(
        'select datname as name from pg_database where datname like $1',
        [`${prefix}%`],
      )
      for (const { name } of databases.rows) await admin.query(`drop database ${name} with (force)`)
    })
    await pooler?.stop()
    await server.stop()
  }
}

async function migrateTemplate(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  await migrate(pool, () => {})
  await writeCatalogue(pool)
  await pool.end()
}

export async function asAdmin(url: string, act: (admin: pg.Client) => Promise<unknown>): Promise<void> {
  const admin = new pg.Client(url)
  await admin.connect()
  try {
    await act(admin)
  } finally {
    await admin.end()
  }
}

export function databaseUrl(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}
