import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { ClientBase, Pool, PoolClient } from 'pg'
import { apply, type Migration, record, sqlInTransaction } from './apply-migration.ts'

/** Prisma's own lock, table and checksum: `prisma migrate deploy` waits for this program and agrees with it. */
const LOCK = 72707369
const LEDGER = `
  create table if not exists _prisma_migrations (
    id                  varchar(36) primary key,
    checksum            varchar(64) not null,
    finished_at         timestamptz,
    migration_name      varchar(255) not null,
    logs                text,
    rolled_back_at      timestamptz,
    started_at          timestamptz not null default now(),
    applied_steps_count integer not null default 0
  )`
const MIGRATIONS = new URL('./migrations/', import.meta.url)

/**
 * Applies the pending migrations one by one, while other processes use the database. When several processes start at once, one applies them
 * and the others wait. A newer version's migrations are accepted if they let this version work. Fails with a one-line message when the
 * database's history does not match this version's.
 */
export async function migrate(pool: Pool, say: (line: string) => void, folder = MIGRATIONS): Promise<void> {
  const client = await pool.connect()
  // A broken connection fails the statement; without a listener the event would end the process.
  client.on('error', () => {})
  try {
    // An index over millions of rows takes longer than the pool allows a request.
    await client.query('set statement_timeout = 0')
    await takeLock(client)
    await client.query(LEDGER)
    await assertAllFinished(client)
    const known = await readMigrations(folder)
    const unapplied = await findUnapplied(client, known)
    const isNew = unapplied.length === known.length
    for (const migration of unapplied) {
      await apply(client, migration, { pool, say, isInUse: !isNew })
      if (!isNew) say(`Applied migration ${migration.name}`)
    }
    if (isNew && unapplied.length > 0) say('Created the database')
  } finally {
    // Closing the connection instead of releasing it frees the lock and rolls back a failed migration.
    client.release(true)
  }
}

/**
 * Applies the named migrations to an empty database, inside the client's transaction. Fails if this version doesn't know one of them, or
 * knows another one by its name.
 */
export async function applyTo(client: ClientBase, migrations: { name: string; checksum: string }[]): Promise<void> {
  const known = await readMigrations(MIGRATIONS)
  await client.query(LEDGER)
  for (const { name, checksum } of migrations) {
    const migration = known.find((migration) => migration.name === name && migration.checksum === checksum)
    if (migration === undefined)
      throw new Error(
        `This version of Docket doesn't have migration ${name} as it was applied. Use the version that applied it, or a newer one.`,
      )
    await client.query(sqlInTransaction(migration))
    await record(client, migration)
  }
}

const LOCK_POLL_MS = 100

/** Takes the lock by asking again and again: a waiting statement would be a transaction, and building an index concurrently waits for those. */
async function takeLock(client: PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [LOCK])
    if (rows[0]?.mine) return
    await wait(LOCK_POLL_MS)
  }
}

/** The migrations that this database lacks. Migrations of a newer version do not affect an older process. */
export async function pendingMigrations(pool: Pool, folder = MIGRATIONS): Promise<string[]> {
  const ledger = await pool.query(`select to_regclass('_prisma_migrations') is not null as exists`)
  const names = await migrationNames(folder)
  if (!ledger.rows[0]?.exists) return names

  const applied = await pool.query<{ migration_name: string }>(
    'select migration_name from _prisma_migrations where finished_at is not null and rolled_back_at is null',
  )
  const done = new Set(applied.rows.map((row) => row.migration_name))
  return names.filter((name) => !done.has(name))
}

/** Throws if another program began a migration and didn't finish it: what it left of the schema is unknown. */
async function assertAllFinished(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    select migration_name as name from _prisma_migrations
    where finished_at is null and rolled_back_at is null order by migration_name limit 1`)
  const [unfinished] = rows
  if (unfinished !== undefined)
    throw new Error(
      `Migration ${unfinished.name} was started by another program and did not finish. Repair the database by hand, then delete its row in _prisma_migrations.`,
    )
}

async function findUnapplied(client: PoolClient, known: Migration[]): Promise<Migration[]> {
  const unapplied = new Map(known.map((migration) => [migration.name, migration]))
  const applied = await client.query<{ name: string; checksum: string; requires: string | null }>(`
    select migration_name as name, checksum, substring(logs from '^requires (\\S+)$') as requires
    from _prisma_migrations where rolled_back_at is null order by migration_name`)
  if (applied.rows.length > 0 && !applied.rows.some(({ checksum }) => checksum === known[0]?.checksum))
    throw new Error(
      'The database was made by a version of Docket from before the first release, which no later version can use. Start with an empty database.',
    )
  for (const { name, checksum, requires } of applied.rows) {
    const migration = unapplied.get(name)
    if (!migration && known.some((migration) => migration.name === requires)) continue
    if (!migration)
      throw new Error(
        `The database has migration ${name}, which this version of Docket does not know. Start the version that applied it, or a newer one.`,
      )
    if (migration.checksum !== checksum)
      throw new Error(
        `Migration ${name} has changed since it was applied: its checksum differs. Restore the released file.`,
      )
    unapplied.delete(name)
  }
  return [...unapplied.values()]
}

/**
 * A migration that takes away what older versions use begins with this line: it names the migration with which the versions begin that don't
 * use it any more. All others work for every version.
 */
const REQUIRES = /^-- requires (\S+)$/m

async function migrationNames(folder: URL): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort()
}

async function readMigrations(folder: URL): Promise<Migration[]> {
  const names = await migrationNames(folder)
  return Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(new URL(`${name}/migration.sql`, folder))
      const sql = bytes.toString()
      const checksum = createHash('sha256').update(bytes).digest('hex')
      return { name, sql, checksum, requires: REQUIRES.exec(sql)?.[1] ?? names[0] ?? name }
    }),
  )
}
