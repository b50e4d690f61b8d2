import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import type { Pool } from 'pg'
import { test as base, expect } from 'vitest'
import { openDatabase } from '#server/core/database/open-database.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { sealAudit } from '#server/modules/ledger/audit/seal-audit.ts'
import { verifyChain } from '#server/modules/ledger/audit/verify-chain.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { miscountedDays } from '#server/testing/miscounted-days.ts'
import { migrate, pendingMigrations } from '../migrate.ts'
import { withScratchDatabase } from '../scratch-database.ts'

const test = base.extend<{ fresh: Pool; old: Pool }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures a fixture needs from this pattern
  fresh: async ({}, use) =>
    withScratchDatabase(
      () => {},
      async (pool) => {
        await migrate(pool, () => {})
        await use(pool)
      },
    ),
  /** A database of Docket 0.1 with an audit log of both kinds of seals, a decision, reports and a delivery. */
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures a fixture needs from this pattern
  old: async ({}, use) =>
    withScratchDatabase(
      () => {},
      async (pool) => {
        const sql = gunzipSync(await readFile(new URL('./docket-0.1.sql.gz', import.meta.url)))
        await pool.query(sql.toString())
        await use(pool)
      },
    ),
})

test('an upgraded database has the catalogue and the migrations of a new one', async ({ fresh, old }) => {
  const said: string[] = []
  await migrate(old, (line) => said.push(line))

  expect(said[0]).toBe('Upgraded the database from Docket 0.1')
  expect(await linesOf(old, CATALOGUE)).toEqual(await linesOf(fresh, CATALOGUE))
  expect(await linesOf(old, MIGRATIONS)).toEqual(await linesOf(fresh, MIGRATIONS))
  expect(await pendingMigrations(old)).toEqual([])
  await migrate(old, (line) => said.push(`again: ${line}`))
  expect(said.filter((line) => line.startsWith('again'))).toEqual([])
})

test('an upgraded database keeps its rows', async ({ old }) => {
  const [before] = await linesOf(old, `select count(*)::text as line from audit`)
  await migrate(old, () => {})

  expect(await linesOf(old, `select count(*)::text as line from audit`)).toEqual([before])
  expect(
    await linesOf(old, `select concat_ws(' ', action, source) as line from audit where action like 'comment.%'`),
  ).toEqual(['comment.rejected rest'])
  expect(await linesOf(old, `select source::text as line from decision`)).toEqual(['rest'])
  expect(await linesOf(old, `select concat_ws(' ', flag_count, closed_at is null) as line from report`)).toEqual([
    '1 f',
    '2 t',
  ])
  expect(await linesOf(old, `select concat_ws(' ', state, finished_at = created_at) as line from delivery`)).toEqual([
    'delivered t',
  ])
})

test('an upgraded database counts by day what was held before, and what changes afterwards', async ({ old }) => {
  await old.query(`
    insert into comment (comment_id, target_type, community_id, user_id, approval_status, queued_at)
    select 'held-' || n, 'community', (select min(community_id) from community), (select min(user_id) from network_user), 'pending',
      timestamptz '2026-05-01' + n * interval '5 hours' from generate_series(1, 20) n`)
  await migrate(old, () => {})
  expect(
    await linesOf(old, `select total::text as line from held_day where day between '2026-05-02' and '2026-05-04'`),
  ).toEqual(['5', '5', '5'])
  expect(await miscountedDays(old)).toEqual([])

  await old.query(`update comment set approval_status = 'approved' where comment_id = 'held-7'`)
  expect(await miscountedDays(old)).toEqual([])
})

test('the sizes of the moderation activity report match its lines', async ({ old }) => {
  await migrate(old, () => {})
  const sizes = await old.query(`
    select r.line_bytes as stored, octet_length(report_line(a, r.event, null)) as real
    from reported_act r join audit a using (audit_id)`)
  expect(sizes.rows).toHaveLength(1)
  for (const { stored, real } of sizes.rows) expect(stored).toBe(real)
})

test('the audit log of an upgraded database verifies, and continues', async ({ old }) => {
  await migrate(old, () => {})
  const database = openDatabase({ url: String(old.options.connectionString), connections: 2, onError: () => {} })
  const ctx = systemCtx(database)
  try {
    expect(await verifyChain(ctx, ctx.auditKey)).toMatchObject({ verified: true, unsealed: 1, problems: [] })
    await recordAudit(ctx, { action: 'test.done', subjectType: 'test', subjectId: 'after the upgrade' })
    while ((await sealAudit(ctx, ctx.auditKey)) > 0);
    expect(await verifyChain(ctx, ctx.auditKey)).toMatchObject({
      ...{ verified: true, unsealed: 0, problems: [] },
      sealedTo: { seq: '10' },
    })
  } finally {
    await database.close()
  }
})

test('of two processes that start at once, one upgrades and both find the database ready', async ({ old }) => {
  const said: string[] = []
  await Promise.all([1, 2].map(() => migrate(old, (line) => said.push(line))))

  expect(said.filter((line) => line.startsWith('Upgraded'))).toEqual(['Upgraded the database from Docket 0.1'])
  expect(new Set(said).size).toBe(said.length)
  expect(await pendingMigrations(old)).toEqual([])
})

test.for([
  [
    'lacks the last migration',
    `delete from _prisma_migrations where migration_name = '20261122000600_message_numbering'`,
  ],
  ['has a changed one', `update _prisma_migrations set checksum = 'x' where migration_name like '%message_numbering'`],
] as const)('rejects a database that %s, and changes nothing', async ([, change], { old }) => {
  await old.query(change)
  const before = [await linesOf(old, CATALOGUE), await linesOf(old, MIGRATIONS)]

  await expect(migrate(old, () => {})).rejects.toThrow(
    'Start Docket 0.1 once first: only a database with exactly its 40 migrations can be upgraded, and 20261122000600_message_numbering differs.',
  )
  expect([await linesOf(old, CATALOGUE), await linesOf(old, MIGRATIONS)]).toEqual(before)
})

test.for([
  ['of its own', `update _prisma_migrations set finished_at = null where migration_name like '%message_numbering'`],
  [
    'of another program',
    `insert into _prisma_migrations (id, checksum, migration_name) values ('x', 'x', '20261122000600_message_numbering')`,
  ],
] as const)('rejects a database with an unfinished migration %s, and changes nothing', async ([, change], { old }) => {
  await old.query(change)
  const before = [await linesOf(old, CATALOGUE), await linesOf(old, UNFINISHED)]
  expect(before[1]).toHaveLength(1)

  await expect(migrate(old, () => {})).rejects.toThrow(
    'Migration 20261122000600_message_numbering was started by another program and did not finish.',
  )
  expect([await linesOf(old, CATALOGUE), await linesOf(old, UNFINISHED)]).toEqual(before)
})

test('an upgrade that fails says so, and changes nothing', async ({ old }) => {
  // The upgrade renames columns of this table.
  await old.query('alter table delivery rename to delivery_elsewhere')
  const before = [await linesOf(old, CATALOGUE), await linesOf(old, MIGRATIONS)]

  await expect(migrate(old, () => {})).rejects.toThrow('The upgrade from Docket 0.1 failed and left nothing behind: ')
  expect([await linesOf(old, CATALOGUE), await linesOf(old, MIGRATIONS)]).toEqual(before)
})

async function linesOf(pool: Pool, sql: string): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(sql)
  return rows.map(({ line }) => line).sort()
}

const MIGRATIONS = `select concat_ws(' ', migration_name, checksum, applied_steps_count) as line from _prisma_migrations`

const UNFINISHED = `select concat_ws(' ', migration_name, checksum) as line from _prisma_migrations where finished_at is null`

/** All of the schema, one line each; the order of columns aside. */
const CATALOGUE = `
  with relation as (
    select * from pg_class where relnamespace = 'public'::regnamespace and relname not like '\\_prisma%'),
  own_type as (select * from pg_type where typnamespace = 'public'::regnamespace)
  select concat_ws(' ', relkind, relname, reloptions, relacl) as line from relation
  union all
  select concat_ws(' ', relname, attname, format_type(atttypid, atttypmod), attnotnull, attgenerated, attidentity, attstorage,
    attcollation::regcollation, attacl, pg_get_expr(adbin, adrelid))
  from relation join pg_attribute on attrelid = relation.oid and attnum > 0 and not attisdropped
  left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where relkind = 'r'
  union all
  select concat_ws(' ', relname, conname, convalidated, pg_get_constraintdef(pg_constraint.oid))
  from relation join pg_constraint on conrelid = relation.oid
  union all
  select concat_ws(' ', indisvalid, pg_get_indexdef(indexrelid)) from relation join pg_index on indrelid = relation.oid
  union all
  select concat_ws(' ', tgenabled, pg_get_triggerdef(pg_trigger.oid))
  from relation join pg_trigger on tgrelid = relation.oid and not tgisinternal
  union all
  select concat_ws(' ', pg_get_functiondef(oid), proacl) from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f'
  union all
  select pg_get_statisticsobjdef(oid) from pg_statistic_ext
  union all
  select concat_ws(' ', typname, row_number() over (partition by own_type.oid order by enumsortorder), enumlabel)
  from own_type join pg_enum on enumtypid = own_type.oid
  union all
  select concat_ws(' ', sequencename, data_type, start_value, increment_by) from pg_sequences where schemaname = 'public'
  union all
  select concat_ws(' ', extname, extversion) from pg_extension`
