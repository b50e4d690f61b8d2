import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { startEmbeddedPostgres } from '#server/core/embedded/start-embedded-postgres.ts'

const TEST_HOME = fileURLToPath(new URL('../.docket/test', import.meta.url))

/** No data needs to outlive a test, so it does not need to survive a power cut. Three files at a time start several programs each. */
const FAST_AND_UNSAFE = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  // Each clone of a database is logged in full, and compressing that took four times as long as the rest.
  wal_compression: 'off',
  max_connections: '200',
}

/** The PostgreSQL server for the databases of tests and tools: DATABASE_URL's, or an embedded one that holds no other data. */
export async function startTestServer(say: (line: string) => void): Promise<{ url: string; stop(): Promise<void> }> {
  const url = process.env.DATABASE_URL
  if (url) return { url, stop: async () => {} }
  const log = { warn: () => {}, error: console.error }
  const { ownerUrl, stop } = await startEmbeddedPostgres({ home: TEST_HOME, settings: FAST_AND_UNSAFE, say, log })
  return { url: ownerUrl, stop }
}

/** Runs `work` with an empty database of its own, and drops it afterwards. */
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
  // Ignores errors of connections that are still closing when the database is dropped.
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
