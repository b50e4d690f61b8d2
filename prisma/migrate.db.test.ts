import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Pool } from 'pg'
import { test as base, expect, onTestFinished } from 'vitest'
import { eventually } from '#server/testing/eventually.ts'
import { migrate, pendingMigrations } from './migrate.ts'
import { withScratchDatabase } from './scratch-database.ts'

const ONE = { '20260101000000_one': 'create table one (id int); insert into one values (1);' }
const TWO = {
  ...ONE,
  '20260102000000_two':
    'create function two() returns int language sql as $$ select 1; $$; alter table one add two int;',
}

const test = base.extend<{ pool: Pool }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures a fixture needs from this pattern
  pool: async ({}, use) => withScratchDatabase(() => {}, use),
})

test('applies each migration once, in order, and reports each one, but a new database as a whole', async ({ pool }) => {
  const said: string[] = []
  const say = (line: string) => said.push(line)

  await migrate(pool, say, await folderOf(ONE))
  await migrate(pool, say, await folderOf(TWO))
  await migrate(pool, say, await folderOf(TWO))

  expect(said).toEqual(['Created the database', 'Applied migration 20260102000000_two'])
  expect((await pool.query('select id, two from one')).rows).toEqual([{ id: 1, two: null }])
})

test('the migrations table holds what Prisma itself would have written, and which versions keep working', async ({
  pool,
}) => {
  await migrate(pool, () => {}, await folderOf(ONE))

  const { rows } = await pool.query('select *, started_at <= finished_at as in_order from _prisma_migrations')
  expect(rows).toEqual([
    expect.objectContaining({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      migration_name: '20260101000000_one',
      checksum: createHash('sha256').update(ONE['20260101000000_one']).digest('hex'),
      logs: 'requires 20260101000000_one',
      rolled_back_at: null,
      applied_steps_count: 1,
      in_order: true,
    }),
  ])
})

test('of four processes that start at once, one applies and all find the database ready', async ({ pool }) => {
  const folder = await folderOf(TWO)
  const said: string[] = []

  await Promise.all(Array.from({ length: 4 }, () => migrate(pool, (line) => said.push(line), folder)))

  expect(said).toEqual(['Created the database'])
  expect(await pendingMigrations(pool, folder)).toEqual([])
})

test('a migration that fails leaves no changes behind and frees the lock', async ({ pool }) => {
  const broken = { ...ONE, '20260102000000_broken': 'create table half (id int); select no_such_column;' }

  await expect(migrate(pool, () => {}, await folderOf(broken))).rejects.toThrow(
    'Migration 20260102000000_broken failed and left nothing behind: column "no_such_column" does not exist',
  )
  expect((await pool.query(`select to_regclass('half') as half`)).rows).toEqual([{ half: null }])
  expect(await pendingMigrations(pool, await folderOf(broken))).toEqual(['20260102000000_broken'])

  await migrate(pool, () => {}, await folderOf(TWO))
})

test('builds an index of its own migration without blocking writers, and again if a crash left it half built', async ({
  pool,
}) => {
  const indexed = { ...ONE, '20260102000000_index': 'create index concurrently one_id on one (id);' }
  await migrate(pool, () => {}, await folderOf(ONE))
  // As a build that was cut off leaves it.
  await pool.query('create index one_id on one (id)')
  await pool.query(`update pg_index set indisvalid = false where indexrelid = 'one_id'::regclass`)

  const folder = await folderOf(indexed)
  await Promise.all(Array.from({ length: 3 }, () => migrate(pool, () => {}, folder)))

  expect((await pool.query(`select indisvalid from pg_index where indexrelid = 'one_id'::regclass`)).rows).toEqual([
    { indisvalid: true },
  ])
  expect(await pendingMigrations(pool, folder)).toEqual([])
})

test('rejects a migration that was changed after it was applied', async ({ pool }) => {
  await migrate(pool, () => {}, await folderOf(TWO))

  const changed = await folderOf({ ...ONE, '20260102000000_two': 'alter table one add two bigint;' })
  await expect(migrate(pool, () => {}, changed)).rejects.toThrow(
    'Migration 20260102000000_two has changed since it was applied',
  )
})

test.for([
  ['another first migration', { '20250101000000_first': 'create table first (id int);' }],
  ['its first migration as it was before', { '20260101000000_one': 'create table one (id bigint);' }],
] as const)('refuses a database that has %s, and changes nothing', async ([, before], { pool }) => {
  await migrate(pool, () => {}, await folderOf(before))
  const ledger = () => pool.query('select * from _prisma_migrations')
  const { rows } = await ledger()

  await expect(migrate(pool, () => {}, await folderOf(TWO))).rejects.toThrow(
    'The database was made by a version of Docket from before the first release, which no later version can use. Start with an empty database.',
  )
  expect((await ledger()).rows).toEqual(rows)
})

test('an older version starts on a database that a newer one has migrated', async ({ pool }) => {
  const older = { '20260101000000_baseline': 'create table one (id int);' }
  const newer = { ...older, '20260102000000_expand': 'alter table one add two int;' }
  await migrate(pool, () => {}, await folderOf(older))
  await migrate(pool, () => {}, await folderOf(newer))

  await migrate(pool, () => {}, await folderOf(older))
  expect(await pendingMigrations(pool, await folderOf(older))).toEqual([])
})

test('rejects a database that lacks what an older version needs, while an older process stays ready', async ({
  pool,
}) => {
  const contract = '-- What it replaces is unused since then.\n-- requires 20260102000000_two\nalter table one drop id;'
  await migrate(pool, () => {}, await folderOf({ ...TWO, '20260103000000_contract': contract }))

  await migrate(pool, () => {}, await folderOf(TWO))
  const older = await folderOf(ONE)
  await expect(migrate(pool, () => {}, older)).rejects.toThrow(
    'The database has migration 20260103000000_contract, which this version of Docket does not know.',
  )
  expect(await pendingMigrations(pool, older)).toEqual([])
})

test('rejects a newer migration that does not say which versions work after it', async ({ pool }) => {
  await migrate(pool, () => {}, await folderOf(TWO))
  await pool.query('update _prisma_migrations set logs = null')

  await expect(migrate(pool, () => {}, await folderOf(ONE))).rejects.toThrow(
    'which this version of Docket does not know',
  )
})

test('writers go on while a migration waits for a lock that a long transaction has', async ({ pool }) => {
  await migrate(pool, () => {}, await folderOf(ONE))
  const said: string[] = []
  const long = await pool.connect()
  await long.query('begin; select from one')

  const migrating = migrate(pool, (line) => said.push(line), await folderOf(TWO))
  await eventually('the migration says that it waits', () => said).toHaveLength(1)
  await pool.query('insert into one values (2)')
  expect(said[0]).toMatch(/would block others .* and tries again: the oldest transaction is that of process \d+/)

  await long.query('commit')
  long.release()
  await migrating
  expect((await pool.query('select id, two from one order by id')).rows).toHaveLength(2)
})

test('a migration that holds a lock for too long makes way for a writer, and is tried again', async ({ pool }) => {
  const slowUntilWritten = `
    alter table one add three int;
    select pg_sleep(60) where not exists (select from one where id = 2);`
  await migrate(pool, () => {}, await folderOf(ONE))
  const said: string[] = []

  const migrating = migrate(
    pool,
    (line) => said.push(line),
    await folderOf({ ...ONE, '20260102000000_slow': slowUntilWritten }),
  )
  await eventually('the migration holds its lock', () => isLocked(pool)).toBe(true)
  await pool.query('insert into one values (2)')
  await migrating

  expect(said).toEqual([expect.stringContaining('tries again'), 'Applied migration 20260102000000_slow'])
})

test('while nobody else needs its tables, a migration takes the time it needs', async ({ pool }) => {
  await migrate(pool, () => {}, await folderOf(ONE))
  const said: string[] = []

  const slow = 'alter table one add three int; select pg_sleep(1.5);'
  await migrate(pool, (line) => said.push(line), await folderOf({ ...ONE, '20260102000000_slow': slow }))

  expect(said).toEqual(['Applied migration 20260102000000_slow'])
})

test('rejects a migration that another program left unfinished, and applies one it rolled back', async ({ pool }) => {
  const folder = await folderOf(ONE)
  await migrate(pool, () => {}, await folderOf({}))
  await pool.query(
    `insert into _prisma_migrations (id, checksum, migration_name) values ('x', 'x', '20260101000000_one')`,
  )

  await expect(migrate(pool, () => {}, folder)).rejects.toThrow('was started by another program and did not finish')

  await pool.query('update _prisma_migrations set rolled_back_at = now()')
  await migrate(pool, () => {}, folder)
  expect(await pendingMigrations(pool, folder)).toEqual([])
})

test('every migration is pending before the first one is applied', async ({ pool }) => {
  expect(await pendingMigrations(pool, await folderOf(TWO))).toEqual(Object.keys(TWO))
})

async function isLocked(pool: Pool): Promise<boolean> {
  const held = `select from pg_locks where relation = 'one'::regclass and mode = 'AccessExclusiveLock' and granted`
  return (await pool.query(held)).rowCount === 1
}

async function folderOf(migrations: Record<string, string>): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'docket-migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, sql] of Object.entries(migrations)) {
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, 'migration.sql'), sql)
  }
  return pathToFileURL(`${folder}/`)
}
