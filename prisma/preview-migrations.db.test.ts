import type { Pool } from 'pg'
import { test as base, expect } from 'vitest'
import { previewMigrations } from './preview-migrations.ts'
import { withScratchDatabase } from './scratch-database.ts'

const test = base.extend<{ pool: Pool }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures a fixture needs from this pattern
  pool: async ({}, use) =>
    withScratchDatabase(
      () => {},
      async (pool) => {
        await pool.query('create table one (id int); insert into one select generate_series(1, 1000); analyze one')
        await use(pool)
      },
    ),
})

/** On slow machines. */
const PATIENT = { limitMs: 60_000 }
const migration = (sql: string) => ({ name: 'a_migration', sql, checksum: '', requires: '' })

test('says what each statement does, which locks it takes and whether it rewrites the table, and changes nothing', async ({
  pool,
}) => {
  const sql = `
    -- „ß“ takes more bytes than letters.
    create table two (id int);
    alter table one add three text;
    alter table one alter id type bigint;
    insert into one (id) values (0);`

  const { migrations, tables } = await previewMigrations(pool, [migration(sql)], PATIENT)

  const lock = { table: 'one', mode: 'AccessExclusiveLock', blocks: 'readers and writers' }
  expect(migrations).toEqual([
    {
      name: 'a_migration',
      isConcurrent: false,
      steps: [
        { text: 'Creates table two', locks: [], rewrites: [] },
        { text: 'Changes one: adds column three', locks: [lock], rewrites: [] },
        { text: 'Changes one: changes the type of column id', locks: [], rewrites: ['one'] },
        { text: 'Inserts rows into one', locks: [], rewrites: [] },
      ],
      heldForMs: expect.any(Number),
    },
  ])
  expect(tables).toEqual([{ table: 'one', rows: 1000, size: expect.stringMatching(/kB$/) }])
  expect((await pool.query('select * from one limit 1')).fields.map(({ name }) => name)).toEqual(['id'])
})

test('ends the trial of a migration that takes too long', async ({ pool }) => {
  const { migrations } = await previewMigrations(pool, [
    migration('alter table one add three text; select pg_sleep(60);'),
    migration('alter table one add four text;'),
  ])

  expect(migrations.map(({ problem }) => problem)).toEqual(Array(2).fill(expect.stringContaining('may take longer')))
})

test('does not wait for a lock that somebody has', async ({ pool }) => {
  const other = await pool.connect()
  await other.query('begin; select from one')

  const { migrations } = await previewMigrations(pool, [migration('alter table one add three text;')], PATIENT)
  other.release(true)

  expect(migrations).toMatchObject([{ problem: expect.stringContaining('Another transaction has a lock') }])
})

test('reports a migration that would fail', async ({ pool }) => {
  const { migrations } = await previewMigrations(pool, [migration('alter table one add id int;')], PATIENT)

  expect(migrations).toMatchObject([{ problem: 'It would fail: column "id" of relation "one" already exists' }])
})

test('describes an index that is built concurrently without building it', async ({ pool }) => {
  const { migrations } = await previewMigrations(pool, [migration('create index concurrently one_id on one (id);')])

  const locks = [{ table: 'one', mode: 'ShareUpdateExclusiveLock', blocks: 'nobody' }]
  const steps = [{ text: 'Builds index one_id on one', locks, rewrites: [] }]
  expect(migrations).toEqual([{ name: 'a_migration', isConcurrent: true, steps }])
})
