import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../prisma/migrate.ts'
import { startTestServer } from '../../prisma/scratch-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server on which tests create their databases, and the template they are cloned from. */
    testServer: { url: string; template: string; prefix: string }
  }
}

/** One server for the whole run, with one migrated template that each file clones; all clones are dropped at the end. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTestServer((line) => console.log(line))
  process.env.DATABASE_URL = server.url
  const prefix = `docket_test_${randomBytes(4).toString('hex')}`
  const template = `${prefix}_template`
  await asAdmin(server.url, (admin) => admin.query(`create database ${template} template template0`))
  await migrateTemplate(databaseUrl(server.url, template))
  project.provide('testServer', { url: server.url, template, prefix })

  return async () => {
    await asAdmin(server.url, async (admin) => {
      const databases = await admin.query<{ name: string }>(
        'select datname as name from pg_database where datname like $1',
        [`${prefix}%`],
      )
      for (const { name } of databases.rows) await admin.query(`drop database ${name} with (force)`)
    })
    await server.stop()
  }
}

async function migrateTemplate(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  await migrate(pool, () => {})
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
