import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { startEmbeddedPostgres } from '#server/core/embedded/start-embedded-postgres.ts'
import { migrate } from '../../prisma/migrate.ts'
import { generate } from './generate.ts'
import { vacuumFilled } from './vacuum-filled.ts'

type Say = (line: string) => void

const BENCH_HOME = fileURLToPath(new URL('../../.docket/bench', import.meta.url))
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const MIGRATIONS = 'prisma/migrations/*/migration.sql'
const FILLED_BY = ['bench/data/{bench-database,generate,vacuum-filled}.ts']
const GENERATED_BY = ['bench/data/{network,random}.ts', MIGRATIONS]
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

/** The database with `held` comments: from an earlier run, unless that one decided on most of them, or a new one. */
export async function benchDatabase(serverUrl: string, held: number, say: Say): Promise<string> {
  return keptDatabase(serverUrl, {
    name: `docket_bench_${held}`,
    madeBy: await digestOf(GENERATED_BY),
    fill: (pool) => generate(pool, held, say),
    isUsable: (url) => hasHeld(url, held / 2),
    say,
  })
}

async function hasHeld(url: string, count: number): Promise<boolean> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const { rows } = await client.query(
      `select count(*)::int from (select from comment where approval_status = 'pending' and not is_deleted limit $1) held`,
      [count],
    )
    return rows[0].count >= count
  } finally {
    await client.end()
  }
}

interface Kept {
  name: string
  /** Identifies the source: a database made from a different one is recreated. */
  madeBy: string
  /** Fills the migrated database. */
  fill: (pool: pg.Pool, url: string) => Promise<void>
  /** Whether an earlier run left enough of it. */
  isUsable?: (url: string) => Promise<boolean>
  say: Say
}

/** The database of this name from an earlier run, or a new one. */
export async function keptDatabase(serverUrl: string, { name, madeBy, fill, isUsable, say }: Kept): Promise<string> {
  const admin = new pg.Client(serverUrl)
  await admin.connect()
  try {
    const kept = await admin.query(
      `select from pg_database where datname = $1 and shobj_description(oid, 'pg_database') = $2`,
      [name, madeBy],
    )
    const url = urlOf(serverUrl, name)
    if (kept.rowCount !== 0 && ((await isUsable?.(url)) ?? true)) return url

    say(`Filling ${name}`)
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.query(`create database ${name} template template0`)
    await fillMigrated(url, fill)
    await admin.query(`comment on database ${name} is '${madeBy}'`)
    return url
  } finally {
    await admin.end()
  }
}

/** A database of this name without tables; one that was there is dropped. */
export async function emptyDatabase(serverUrl: string, name: string): Promise<string> {
  const admin = new pg.Client(serverUrl)
  await admin.connect()
  try {
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.query(`create database ${name} template template0`)
    return urlOf(serverUrl, name)
  } finally {
    await admin.end()
  }
}

async function fillMigrated(url: string, fill: Kept['fill']): Promise<void> {
  await withPool(url, async (pool) => {
    await migrate(pool, () => {})
    await fill(pool, url)
    await vacuumFilled(pool)
    // Else PostgreSQL writes what filling left in memory for minutes, beside what is measured. A server given by DATABASE_URL may forbid it.
    await pool.query('checkpoint').catch(() => {})
  })
}

/** With connections on which a statement may take as long as it takes. */
export async function withPool<Result>(url: string, work: (pool: pg.Pool) => Promise<Result>): Promise<Result> {
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS })
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

/** A digest of how databases are filled, and of the files that match these patterns, relative to the project's root. */
export async function digestOf(patterns: string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const path of (await Array.fromAsync(glob([...FILLED_BY, ...patterns], { cwd: ROOT }))).sort())
    hash.update(await readFile(resolve(ROOT, path)))
  return hash.digest('hex')
}

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}
