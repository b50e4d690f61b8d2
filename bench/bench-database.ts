import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { startEmbeddedPostgres } from '#server/core/embedded/start-embedded-postgres.ts'
import { migrate } from '../prisma/migrate.ts'
import { generate } from './generate.ts'

type Say = (line: string) => void

const BENCH_HOME = fileURLToPath(new URL('../.docket/bench', import.meta.url))
/** What makes a database what it is: it is kept for the next run as long as these stay the same. */
const MADE_BY = ['bench/{network,random}.ts', 'prisma/migrations/*/migration.sql']
/** One builds an index, one the next. */
const CONNECTIONS = 2

/** DATABASE_URL's server, else an embedded one with the memory of a machine that does nothing else; commits reach the disk. */
export async function startBenchServer(say: Say): Promise<{ url: string; stop(): Promise<void> }> {
  const url = process.env.DATABASE_URL
  if (url) return { url, stop: async () => {} }
  const megabytes = Math.floor(totalmem() / 1_048_576)
  return startEmbeddedPostgres({
    home: BENCH_HOME,
    say,
    settings: {
      shared_buffers: `${Math.floor(megabytes / 4)}MB`,
      effective_cache_size: `${Math.floor(megabytes / 2)}MB`,
      maintenance_work_mem: `${Math.min(1_024, Math.floor(megabytes / 16))}MB`,
      max_wal_size: '16GB',
    },
  })
}

/** The database with `held` comments: the one of an earlier run, or a new one. */
export async function benchDatabase(serverUrl: string, held: number, say: Say): Promise<string> {
  const name = `docket_bench_${held}`
  const madeBy = await digestOfMakers()
  const admin = new pg.Client(serverUrl)
  await admin.connect()
  try {
    const kept = await admin.query(
      `select from pg_database where datname = $1 and shobj_description(oid, 'pg_database') = $2`,
      [name, madeBy],
    )
    const url = urlOf(serverUrl, name)
    if (kept.rowCount !== 0) return url

    say(`Filling ${name}`)
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.query(`create database ${name} template template0`)
    await fill(url, held, say)
    await admin.query(`comment on database ${name} is '${madeBy}'`)
    return url
  } finally {
    await admin.end()
  }
}

async function fill(url: string, held: number, say: Say): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS })
  try {
    await migrate(pool, () => {})
    await generate(pool, held, say)
  } finally {
    await pool.end()
  }
}

async function digestOfMakers(): Promise<string> {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const hash = createHash('sha256')
  for (const path of (await Array.fromAsync(glob(MADE_BY, { cwd: root }))).sort())
    hash.update(await readFile(`${root}/${path}`))
  return hash.digest('hex')
}

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}
