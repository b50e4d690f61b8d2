import { performance } from 'node:perf_hooks'
import type { Pool, PoolClient } from 'pg'
import { CONCURRENT_INDEX, type Migration } from './apply-migration.ts'
import { type Step, stepsOf } from './steps-of.ts'

/** What a statement of a pending migration does. */
export interface StepPreview {
  text: string
  /** Tables that are in use, with the strongest lock that the statement is the first to take on each. */
  locks: Lock[]
  rewrites: string[]
}

interface Lock {
  table: string
  mode: string
  /** Whom it blocks, in words. */
  blocks: string
}

export interface MigrationPreview {
  name: string
  steps: StepPreview[]
  /** Only builds or drops an index while readers and writers go on. */
  isConcurrent: boolean
  /** For how long its locks were held in the trial, in milliseconds; undefined where it was not tried to its end. */
  heldForMs?: number
  /** Why it could not be tried, or why it would not be applied. */
  problem?: string
}

export interface TableSize {
  table: string
  rows: number
  size: string
}

export interface Preview {
  migrations: MigrationPreview[]
  tables: TableSize[]
}

/** The trial ends after this: it blocks others like the migrations themselves. */
const TRIAL_LIMIT_MS = 700
const LOCK_WAIT_MS = 200

/**
 * Tries the migrations on the database itself, in one transaction that is rolled back, and asks PostgreSQL after each statement which locks
 * it took and which tables it rewrote. It ends after 0.7 s, and waits for no lock for longer than 0.2 s. Indexes that are built
 * concurrently are not tried: no transaction can.
 */
export async function previewMigrations(
  pool: Pool,
  migrations: Migration[],
  { limitMs = TRIAL_LIMIT_MS } = {},
): Promise<Preview> {
  const client = await pool.connect()
  client.on('error', () => {})
  try {
    await client.query('begin')
    await client.query(`set local lock_timeout = ${LOCK_WAIT_MS}`)
    const before = await readTables(client)
    const trial: Trial = { client, before, endsAt: performance.now() + limitMs }
    const previews: MigrationPreview[] = []
    for (const migration of migrations) previews.push(await tryMigration(trial, migration))
    await client.query('rollback')
    const tables = await readSizes(client, previews)
    return { migrations: previews, tables }
  } finally {
    client.release(true)
  }
}

interface Trial {
  client: PoolClient
  /** The tables that exist before, with the file of each. */
  before: Map<string, string>
  endsAt: number
  /** Why nothing more can be tried. */
  problem?: string
}

async function tryMigration(trial: Trial, migration: Migration): Promise<MigrationPreview> {
  const steps = await stepsOf(migration.sql)
  const isConcurrent = CONCURRENT_INDEX.test(migration.sql)
  if (isConcurrent) return { name: migration.name, isConcurrent, steps: steps.map(concurrentStep) }

  const held = new Map<string, string>()
  const previews: StepPreview[] = []
  let lockedAt: number | undefined
  for (const step of steps) {
    const preview: StepPreview = { text: step.text, locks: [], rewrites: [] }
    previews.push(preview)
    if (trial.problem !== undefined) continue
    const startedAt = performance.now()
    try {
      await runStep(trial, step)
    } catch (error) {
      trial.problem = problemOf(error)
      continue
    }
    preview.rewrites = await rewrittenBy(trial)
    preview.locks = await newLocks(trial, held)
    if (preview.locks.length > 0) lockedAt ??= startedAt
  }
  const heldForMs = lockedAt === undefined ? 0 : performance.now() - lockedAt
  const result = trial.problem === undefined ? { heldForMs } : { problem: trial.problem }
  return { name: migration.name, isConcurrent, steps: previews, ...result }
}

async function runStep({ client, endsAt }: Trial, { sql }: Step): Promise<void> {
  const left = Math.ceil(endsAt - performance.now())
  if (left <= 0) throw new OutOfTime()
  await client.query(`set local statement_timeout = ${left}`)
  await client.query(sql)
}

class OutOfTime extends Error {}

function problemOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (error instanceof OutOfTime || code === '57014')
    return "The trial ended so that it doesn't block others: this may take longer than a second."
  if (code === '55P03') return 'Another transaction has a lock on the table now: try again later.'
  return `It would fail: ${error instanceof Error ? error.message : error}`
}

function concurrentStep({ text, table }: Step): StepPreview {
  const locks = table === undefined ? [] : [{ table, mode: 'ShareUpdateExclusiveLock', blocks: 'nobody' }]
  return { text, locks, rewrites: [] }
}

const STRENGTHS: Record<string, { strength: number; blocks: string }> = {
  RowExclusiveLock: { strength: 1, blocks: 'nobody but writers of the same rows' },
  ShareUpdateExclusiveLock: { strength: 2, blocks: 'nobody' },
  ShareLock: { strength: 3, blocks: 'writers' },
  ShareRowExclusiveLock: { strength: 4, blocks: 'writers' },
  ExclusiveLock: { strength: 5, blocks: 'writers' },
  AccessExclusiveLock: { strength: 6, blocks: 'readers and writers' },
}

/** Those that are stronger than what this migration held before. */
async function newLocks({ client, before }: Trial, held: Map<string, string>): Promise<Lock[]> {
  const { rows } = await client.query<{ table: string; mode: string }>(`
    select distinct coalesce(i.indrelid, c.oid)::regclass::text as table, l.mode
    from pg_locks l join pg_class c on c.oid = l.relation left join pg_index i on i.indexrelid = c.oid
    where l.pid = pg_backend_pid() and l.granted and c.relnamespace not in ('pg_catalog'::regnamespace, 'pg_toast'::regnamespace)`)
  const found: Lock[] = []
  for (const { table, mode } of rows) {
    const lock = STRENGTHS[mode]
    if (lock === undefined || !before.has(table)) continue
    if (lock.strength <= (STRENGTHS[held.get(table) ?? '']?.strength ?? 0)) continue
    held.set(table, mode)
    found.push({ table, mode, blocks: lock.blocks })
  }
  return strongestOfEach(found)
}

function strongestOfEach(locks: Lock[]): Lock[] {
  return [...new Map(locks.map((lock) => [lock.table, lock])).values()]
}

async function rewrittenBy(trial: Trial): Promise<string[]> {
  const after = await readTables(trial.client)
  const rewritten = [...trial.before].flatMap(([table, file]) => {
    const now = after.get(table)
    return now === undefined || now === file ? [] : [table]
  })
  trial.before = new Map(
    [...trial.before].filter(([table]) => after.has(table)).map(([table]) => [table, after.get(table) ?? '']),
  )
  return rewritten
}

async function readTables(client: PoolClient): Promise<Map<string, string>> {
  const { rows } = await client.query<{ table: string; file: string }>(`
    select oid::regclass::text as table, relfilenode::text as file from pg_class
    where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and relname <> '_prisma_migrations'`)
  return new Map(rows.map(({ table, file }) => [table, file]))
}

async function readSizes(client: PoolClient, previews: MigrationPreview[]): Promise<TableSize[]> {
  const steps = previews.flatMap((preview) => preview.steps)
  const names = new Set(steps.flatMap(({ locks, rewrites }) => [...locks.map(({ table }) => table), ...rewrites]))
  const { rows } = await client.query<TableSize>(
    `select c.oid::regclass::text as table, greatest(c.reltuples, 0)::float8 as rows, pg_size_pretty(pg_total_relation_size(c.oid)) as size
     from unnest($1::text[]) as name join pg_class c on c.oid = to_regclass(name) order by 2 desc, 1`,
    [[...names]],
  )
  return rows
}
