import { createHash, randomUUID } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { startEmbeddedPostgres } from '#server/core/embedded/start-embedded-postgres.ts'
import { migrate } from '../../prisma/migrate.ts'
import { vacuumFilled } from './fill.ts'
import { fillNetwork } from './network.ts'

type Say = (line: string) => void

const BENCH_HOME = fileURLToPath(new URL('../../.docket/bench', import.meta.url))
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** What every database is made of; a change of one of these files makes them again. */
const MADE_OF = ['bench/data/{bench-database,fill,random}.ts', 'prisma/migrations/*/migration.sql']
/** While one connection builds an index, the other builds the next. */
const CONNECTIONS = 2

/** DATABASE_URL's server, else an embedded one with the memory settings of a dedicated machine; commits are flushed to disk. */
export async function startBenchServer(say: Say): Promise<{ url: string; stop(): Promise<void> }> {
  const url = process.env.DATABASE_URL
  if (url) return { url, stop: async () => {} }
  const megabytes = Math.floor(totalmem() / 1_048_576)
  const { ownerUrl, stop } = await startEmbeddedPostgres({
    home: BENCH_HOME,
    say,
    log: console,
    settings: {
      shared_buffers: `${Math.floor(megabytes / 4)}MB`,
      effective_cache_size: `${Math.floor(megabytes / 2)}MB`,
      maintenance_work_mem: `${Math.min(1_024, Math.floor(megabytes / 16))}MB`,
      max_wal_size: '16GB',
      // Counts statements; a server that already runs without it stays so.
      shared_preload_libraries: 'pg_stat_statements',
    },
  })
  return { url: ownerUrl, stop }
}

/** The database with `held` comments: from an earlier run, or a new one. To be read, or copied. */
export function benchDatabase(serverUrl: string, held: number, say: Say): Promise<string> {
  return keptDatabase(serverUrl, {
    name: `docket_bench_${held}`,
    source: 'bench/data/network.ts',
    fill: (pool) => fillNetwork(pool, held, say),
    say,
  })
}

interface Kept {
  name: string
  /** The files that make its rows, as a pattern relative to the project's root: one made from other contents is made again. */
  source: string
  /** Fills the migrated database. */
  fill: (pool: pg.Pool) => Promise<void>
  say: Say
}

/** The database of this name from an earlier run, or a new one. */
export async function keptDatabase(serverUrl: string, { name, source, fill, say }: Kept): Promise<string> {
  const madeOf = await digestOf([...MADE_OF, source])
  const url = urlOf(serverUrl, name)
  await withConnections(serverUrl, async (admin) => {
    const kept = await admin.query(
      `select from pg_database where datname = $1 and shobj_description(oid, 'pg_database') = $2`,
      [name, madeOf],
    )
    if (kept.rowCount !== 0) return
    say(`Filling ${name}`)
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.query(`create database ${name} template template0`)
    await withConnections(url, async (pool) => {
      await migrate(pool, () => {})
      await fill(pool)
      await vacuumFilled(pool)
      // Else PostgreSQL writes what filling left in memory for minutes, beside what is measured. A server given by DATABASE_URL may forbid it.
      await pool.query('checkpoint').catch(() => {})
    })
    await admin.query(`comment on database ${name} is '${madeOf}'`)
  })
  return url
}

/** With a copy of a database, so that what is measured may change it. */
export async function withCopy<Result>(url: string, work: (copyUrl: string) => Promise<Result>): Promise<Result> {
  const original = new URL(url).pathname.slice(1)
  const copy = `${original}_${randomUUID().slice(0, 8)}`
  const asAdmin = (statement: string) =>
    withConnections(urlOf(url, 'postgres'), async (admin) => void (await admin.query(statement)))
  await asAdmin(`create database ${copy} template ${original} strategy file_copy`)
  try {
    return await work(urlOf(url, copy))
  } finally {
    await asAdmin(`drop database ${copy} with (force)`)
  }
}

/** With connections on which a statement may take as long as it takes. */
export async function withConnections<Result>(url: string, work: (pool: pg.Pool) => Promise<Result>): Promise<Result> {
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS })
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

async function digestOf(patterns: string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const path of (await Array.fromAsync(glob(patterns, { cwd: ROOT }))).sort())
    hash.update(await readFile(resolve(ROOT, path)))
  return hash.digest('hex')
}

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}
