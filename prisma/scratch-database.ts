import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { startEmbeddedPostgres } from '#server/core/embedded/start-embedded-postgres.ts'

const TEST_HOME = fileURLToPath(new URL('../.docket/test', import.meta.url))

/** Nothing in it outlives a test, so it need not outlive a power cut. */
const FAST_AND_UNSAFE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** The PostgreSQL that tests and tools make their databases on: DATABASE_URL's, else an embedded one apart from anyone's data. */
export async function startTestServer(say: (line: string) => void): Promise<{ url: string; stop(): Promise<void> }> {
  const url = process.env.DATABASE_URL
  if (url) return { url, stop: async () => {} }
  const log = { warn: () => {}, error: console.error }
  const { ownerUrl, stop } = await startEmbeddedPostgres({ home: TEST_HOME, settings: FAST_AND_UNSAFE, say, log })
  return { url: ownerUrl, stop }
}

/** Gives `work` an empty database of its own, which is dropped afterwards. */
export async function withScratchDatabase<Result>(
  say: (line: string) => void,
  work: (pool: pg.Pool) => Promise<Result>,
): Promise<Result> {
  const server = await startTestServer(say)
  const admin = new pg.Client(server.url)
  try {
    await admin.connect()
    const name = `docket_scratch_${randomBytes(4).toString('hex')}`
    await admin.query(`create database ${name} template template0`)
    try {
      return await withPool(urlOf(server.url, name), work)
    } finally {
      await admin.query(`drop database ${name} with (force)`)
    }
  } finally {
    await admin.end()
    await server.stop()
  }
}

async function withPool<Result>(url: string, work: (pool: pg.Pool) => Promise<Result>): Promise<Result> {
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  // A connection that is still closing when the database is dropped has nobody left to tell.
  pool.on('error', () => {})
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

function urlOf(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}
