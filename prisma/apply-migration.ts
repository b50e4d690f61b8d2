import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { ClientBase, Pool, PoolClient } from 'pg'

export interface Migration {
  name: string
  sql: string
  checksum: string
  /** The migration that a version of Docket must know to work after this one. */
  requires: string
}

interface Applying {
  pool: Pool
  say: (line: string) => void
  /** Of a database that may be in use. */
  isInUse: boolean
  label?: string
}

/** Of its migration, the only statement; one that drops an index says `if exists`. */
export const CONCURRENT_INDEX =
  /^(?:--.*\n|\s)*(?:create (?:unique )?index|drop index|reindex index) concurrently (?:if exists )?(\w+)/i

/** The most that a statement waits for a lock, while everything that comes after it waits for the same table. */
const LOCK_WAIT_MS = 500
/** A migration that keeps others waiting for longer than this is cancelled; with the time between two looks it stays below a second. */
const BLOCKING_LIMIT_MS = 600
const LOOK_EVERY_MS = 100
/** What others get between two tries. */
const PAUSE_MS = 1_000
const GIVE_UP_AFTER_MS = 10 * 60_000

/**
 * Applies a migration in one transaction; an index that is built concurrently is built without one, and again if it was cut off. Nothing waits
 * for a migration for more than a second: one waiting for a lock, or holding one, for longer is rolled back and tried again, for ten minutes.
 */
export async function apply(client: PoolClient, migration: Migration, applying: Applying): Promise<void> {
  const label = applying.label ?? `Migration ${migration.name}`
  const index = CONCURRENT_INDEX.exec(migration.sql)?.[1]
  try {
    if (index === undefined) await applyInTransaction(client, migration, { ...applying, label })
    else await buildIndex(client, index, migration)
  } catch (error) {
    const left = index === undefined ? 'left nothing behind' : `left an index ${index} that the next start replaces`
    throw new Error(`${label} failed and ${left}: ${error instanceof Error ? error.message : error}`, { cause: error })
  }
}

/** The migration's statements for a transaction of the caller's, in which no index can be built concurrently. */
export function sqlInTransaction({ sql }: Migration): string {
  return sql.replace(CONCURRENT_INDEX, (statement) => statement.replace(/concurrently /i, ''))
}

/** Writes what Prisma would have written, and in `logs`, which is Prisma's for failures, which versions work after this migration. */
export async function record(client: ClientBase, { name, checksum, requires }: Migration): Promise<void> {
  await client.query(
    `insert into _prisma_migrations (id, checksum, migration_name, logs, finished_at, applied_steps_count)
     values ($1, $2, $3, 'requires ' || $4, clock_timestamp(), 1)`,
    [randomUUID(), checksum, name, requires],
  )
}

async function buildIndex(client: PoolClient, index: string, migration: Migration): Promise<void> {
  // One that was cut off leaves an invalid index behind; one that was to replace another, beside it.
  const left = /^reindex/im.test(migration.sql) ? `${index}_ccnew` : index
  await client.query(`drop index concurrently if exists ${left}`)
  await client.query(migration.sql)
  await record(client, migration)
}

async function applyInTransaction(
  client: PoolClient,
  migration: Migration,
  { pool, say, isInUse, label }: Applying & { label: string },
): Promise<void> {
  if (!isInUse) return runOnce(client, migration)
  const giveUpAt = performance.now() + GIVE_UP_AFTER_MS
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await unlessItBlocks(pool, client, () => runOnce(client, migration))
    } catch (error) {
      await client.query('rollback')
      if (!wasInTheWay(error) || performance.now() > giveUpAt) throw error
      if (isFirst)
        say(`${label} would block others for longer than a second and tries again: ${await longestOpen(client)}`)
      await wait(PAUSE_MS)
    }
  }
}

async function runOnce(client: PoolClient, migration: Migration): Promise<void> {
  await client.query('begin')
  await client.query(`set local lock_timeout = ${LOCK_WAIT_MS}`)
  await client.query(migration.sql)
  await record(client, migration)
  await client.query('commit')
}

/** Cancels the statement that `act` runs on `client` as soon as it keeps others waiting for too long. */
async function unlessItBlocks(pool: Pool, client: PoolClient, act: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const watching = new AbortController()
  const watch = async (watcher: PoolClient) => {
    while (!watching.signal.aborted) {
      await watcher.query(CANCEL, [rows[0]?.pid, BLOCKING_LIMIT_MS])
      await wait(LOOK_EVERY_MS, undefined, { signal: watching.signal }).catch(() => {})
    }
  }
  const watcher = await pool.connect()
  const watched = watch(watcher)
  // Without the watcher, the limit of waits for locks still holds.
  watched.catch(() => {})
  try {
    await act()
  } finally {
    watching.abort()
    const broke = await watched.then(
      () => undefined,
      (error: Error) => error,
    )
    watcher.release(broke)
  }
}

const CANCEL = `
  select pg_cancel_backend($1) from pg_stat_activity
  where pid = $1 and exists (
    select from pg_locks
    where not granted and pid <> $1 and waitstart < clock_timestamp() - make_interval(secs => $2 / 1000.0) and $1 = any(pg_blocking_pids(pid)))`

/** SQLSTATEs of a wait for a lock that was given up, of a cancelled statement, and of a deadlock. */
const IN_THE_WAY = ['55P03', '57014', '40P01']

function wasInTheWay(error: unknown): boolean {
  return error instanceof Error && 'code' in error && IN_THE_WAY.includes(String(error.code))
}

/** The transaction that most probably has the lock, so that an operator can end it. */
async function longestOpen(client: PoolClient): Promise<string> {
  const { rows } = await client.query<{ pid: number; seconds: number; state: string }>(`
    select pid, state, extract(epoch from clock_timestamp() - xact_start)::int as seconds from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null order by xact_start limit 1`)
  const [oldest] = rows
  if (oldest === undefined) return 'no other transaction is open.'
  return `the oldest transaction is that of process ${oldest.pid} of the database (${oldest.state}, ${oldest.seconds} s).`
}
