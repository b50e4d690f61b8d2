import { createHash } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import template, { empty, join, raw, type Sql } from 'sql-template-tag'
import { type Ctx, ensureLookedUp } from '#server/core/ctx.ts'
import { camelCase } from '#server/core/database/camel-case.ts'
import { connectTo, DatabaseClient } from '#server/core/database/database-client.ts'
import { databaseFailureOf, isPlanOutdated, TOOK_TOO_LONG } from '#server/core/database/database-failures.ts'
import type { Db, Pool } from '#server/core/database/db-types.ts'
import { statementSpan } from '#server/core/database/statement-span.ts'
import { PrismaClient } from '#server/core/prisma/client.ts'
import { inFirstSpan, inSpan } from '#server/core/tracing.ts'

export type { Sql }

/** A piece of SQL with its values: pieces nest, and every value becomes a parameter. */
export const sql = Object.assign(template, { join, raw, empty })

export interface Database {
  pool: Pool
  /** Names statements from now on, which PostgreSQL then prepares once per connection. On from the start, but for a pooler. */
  nameStatements(): void
  /** For the sign-in library and for tests. It shares the pool, but never takes part in a transaction of `inTransaction`. */
  prisma: PrismaClient
  close(): Promise<void>
}

const CONNECT_TIMEOUT_MS = 5_000
const TRANSACTION_LIMIT_MS = 10_000
export const STATEMENT_LIMIT_MS = 30_000
/** By then the server has ended a statement and said so, unless it vanished: the connection is given up. */
const ANSWER_LIMIT_MS = STATEMENT_LIMIT_MS + 5_000

/**
 * What every session has set. Statements here are short and frequent: JIT compilation of one that the planner expects to be long costs more
 * than it saves. The lower trigram threshold allows for misspellings: a missing letter and a doubled one leave "prichard" little in common
 * with "Pritchard".
 */
export const SESSION_SETTINGS = { timezone: 'UTC', jit: 'off', 'pg_trgm.word_similarity_threshold': '0.5' }
export const SESSION_OPTIONS = Object.entries(SESSION_SETTINGS)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ')

/**
 * Placed beside a condition whose value decides which plan is good, such as one post of many or some words. A statement that contains it is
 * planned for its values on each call; all others reuse the plan of their connection. With a million held comments, a plan for the average
 * post took 60 ms for one page; planning each time costs about 1 ms per page.
 */
export const NO_PREPARE = sql.raw('/* planned anew */')

/**
 * A list whose length the planner cannot see, as in `= any(${listOf(ids)})`. The planner assumes ten values and keeps that plan. If it sees
 * a single value, it rates the generic plan as worse and plans again on each call. Only for look-ups by a unique key.
 */
export function listOf(values: string[]): Sql {
  return sql`(select ${values}::text[])::text[]`
}

interface PoolOptions {
  url: string
  connections: number
  /** How many of the connections stay open while nothing uses them; none by default. */
  keptConnections?: number
  /** How long a new connection may take, and how long to wait for a free one. */
  connectTimeoutMs?: number
  /** Receives errors of idle connections that broke; the pool replaces them. */
  onError: (error: Error) => void
}

interface DatabaseOptions extends PoolOptions {
  /** Given where `url` leads to a pooler: it leads past that. */
  directUrl?: string | undefined
}

/** One pool for everything. */
export function openDatabase({ directUrl, ...options }: DatabaseOptions): Database {
  const opened = openPool({ ...options, isPooled: directUrl !== undefined })
  const pool: Pool = Object.assign(opened.pool, { directUrl })
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool, { statementNameGenerator: ({ sql: text }) => statementName(text) }),
  })
  return {
    ...opened,
    pool,
    prisma,
    close: async () => {
      await prisma.$disconnect()
      await pool.end()
    },
  }
}

/** Connections to one server with the settings of every session; `isPooled` where the address leads to a pooler. */
export function openPool(options: PoolOptions & { isPooled: boolean }): { pool: pg.Pool; nameStatements(): void } {
  const naming = { isOn: false }
  const pool = new pg.Pool({
    ...connectTo(options.url),
    max: options.connections,
    min: options.keptConnections ?? 0,
    connectionTimeoutMillis: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    // A pooler accepts no settings with a connection: there the role has them (pooler.ts).
    ...(options.isPooled
      ? { Client: clientThatNames(naming) }
      : { statement_timeout: STATEMENT_LIMIT_MS, options: SESSION_OPTIONS }),
    pipeline: true,
  })
  pool.on('error', options.onError)
  // PgBouncer keeps a time zone for each of its clients, which it takes from its first connection to the server: the role's doesn't count.
  if (options.isPooled) pool.on('connect', (client) => void client.query(`set timezone = 'UTC'`).catch(() => {}))
  return {
    pool,
    nameStatements: () => {
      naming.isOn = true
    },
  }
}

/** A client that leaves out the names of statements while they are off. */
function clientThatNames(naming: { isOn: boolean }): typeof DatabaseClient {
  const nameless = (config: unknown) => {
    const isNamed = typeof config === 'object' && config !== null && 'name' in config
    return isNamed && !naming.isOn ? { ...config, name: undefined } : config
  }
  return class extends DatabaseClient {
    override query(...[config, ...more]: unknown[]) {
      return Reflect.apply(super.query, this, [nameless(config), ...more])
    }
  }
}

/**
 * Runs `act` in one transaction; reuses the context's transaction if it has one. A transaction that takes longer than `limitMs`
 * is rolled back, and its next statement fails. Fails if a statement failed and `act` ignored that: PostgreSQL has rolled it back.
 * Acts only for actors that are looked up.
 */
export async function inTransaction<Result>(
  ctx: Ctx,
  act: (ctx: Ctx) => Promise<Result>,
  { limitMs = TRANSACTION_LIMIT_MS } = {},
): Promise<Result> {
  if (isInTransaction(ctx)) return act(ctx)
  ensureLookedUp(ctx)
  return inFirstSpan({ name: 'transaction' }, () => runTransaction(ctx, act, limitMs))
}

async function runTransaction<Result>(ctx: Ctx, act: (ctx: Ctx) => Promise<Result>, limitMs: number): Promise<Result> {
  const { db, end } = await openTransaction(ctx.pool, limitMs)
  try {
    const result = await act({ ...ctx, db })
    await end('COMMIT')
    return result
  } catch (error) {
    // Without its connection the transaction is rolled back as well.
    await end('ROLLBACK').catch(() => {})
    throw error
  }
}

async function openTransaction(pool: Pool, limitMs: number) {
  const client = await pool.connect()
  let over: Error | undefined
  const limit = setTimeout(() => {
    over = new Error(TOOK_TOO_LONG)
    client.release(over)
  }, limitMs)
  // From the end on the connection may serve others: a statement that comes late must not run on it.
  const db: Db = { query: (statement) => (over === undefined ? client.query(statement) : Promise.reject(over)) }
  const end = async (how: 'COMMIT' | 'ROLLBACK') => {
    if (over !== undefined) throw over
    over = new Error('The transaction is over')
    clearTimeout(limit)
    const statement = { text: how, query_timeout: ANSWER_LIMIT_MS }
    const { command } = await client.query(statement).catch((error) => {
      client.release(error)
      throw error
    })
    client.release()
    if (command !== how) throw new Error('The transaction was rolled back: one of its statements had failed')
  }
  // Answered before the first statement is sent: without it, that would take effect at once.
  await client.query('BEGIN').catch(async (error) => {
    await end('ROLLBACK').catch(() => {})
    throw error
  })
  return { db, end }
}

/** Whether the context's statements run in a transaction. */
export function isInTransaction(ctx: Ctx): boolean {
  return ctx.db !== ctx.pool
}

type Runs = Pick<Ctx, 'db'>
type Statement = Pick<Sql, 'text' | 'values'>

/**
 * Runs one statement on the pool, or in the context's transaction; prepared once per connection. Columns are named in camelCase:
 * `user_id` is read as `userId`. `bigint` and `numeric` are read as text, since a number cannot hold all of them; bytes as a Buffer.
 */
export async function query<Row>({ db }: Runs, statement: Statement): Promise<Row[]> {
  const { fields, rows } = await send(db, statement)
  const toRow = rowMaker(fields.map(({ name }) => name))
  return rows.map((values) => toRow(values) as Row)
}

/** The first row of one statement, or undefined. */
export async function queryOne<Row>(ctx: Runs, statement: Statement): Promise<Row | undefined> {
  const rows = await query<Row>(ctx, statement)
  return rows[0]
}

/** Runs one statement whose rows do not matter; returns how many it changed or returned. */
export async function execute({ db }: Runs, statement: Statement): Promise<number> {
  const { rowCount } = await send(db, statement)
  return rowCount ?? 0
}

function send(db: Db, { text, values }: Statement) {
  const name = statementName(text)
  const run = (name: string) =>
    inSpan(
      () => statementSpan(text, name),
      () => {
        const statement = { name, text, values, rowMode: 'array' as const, query_timeout: ANSWER_LIMIT_MS }
        return db.query(statement)
      },
    )
  return run(name).catch((error) => {
    if (!isPlanOutdated(error)) throw error
    // Once for all statements that are under way.
    if (statementName(text) === name) forgetStatements()
    // A transaction has failed, and its caller may try it again.
    if (!(db instanceof pg.Pool)) throw error
    return run(statementName(text))
  })
}

type RowMaker = (values: unknown[]) => unknown

const rowMakers = new Map<string, RowMaker>()
const ROW_MAKERS_KEPT = 1_000

/**
 * Makes rows of these columns. Compiled once for each list of columns, as zod's schemas are: an object filled key by key takes ten times as
 * long to make, and longer to read.
 */
function rowMaker(columns: string[]): RowMaker {
  // No name contains a zero byte.
  const key = columns.join('\0')
  const known = rowMakers.get(key)
  if (known !== undefined) return known
  const properties = columns.map((column, index) => `${JSON.stringify(camelCase(column))}: values[${index}]`)
  const made = new Function('values', `return { ${properties.join(', ')} }`) as RowMaker
  if (rowMakers.size < ROW_MAKERS_KEPT) rowMakers.set(key, made)
  return made
}

const statementNames = new Map<string, string>()
const STATEMENT_NAMES_KEPT = 1_000
/** Part of each name: statements that were prepared under another one are not used again. */
let generation = 0

/** A migration beside this process changed the columns of a statement: under its name, each connection would go on rejecting it. */
function forgetStatements(): void {
  generation += 1
  statementNames.clear()
}
/** PostgreSQL stores no plan for it. */
const UNNAMED = ''

function statementName(text: string): string {
  const known = statementNames.get(text)
  if (known !== undefined) return known
  if (text.includes(NO_PREPARE.sql)) return UNNAMED
  const name = `s${generation}_${createHash('sha256').update(text).digest('base64url').slice(0, 20)}`
  if (statementNames.size < STATEMENT_NAMES_KEPT) statementNames.set(text, name)
  return name
}

/** Whether the database is temporarily unable to do it, as opposed to a bug on our side: the caller may retry. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return databaseFailureOf(error) !== undefined
}

/** Waits for the server to answer for at most `limitMs`; then fails with a one-line message. */
export async function waitForDatabase({ pool }: Database, limitMs: number): Promise<void> {
  await retryWhileUnavailable(limitMs, () => pool.query('select 1'))
}

/** Retries `act` while the database is unavailable, for at most `limitMs`; then fails with a one-line message. */
export async function retryWhileUnavailable<Result>(limitMs: number, act: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + limitMs
  for (;;) {
    try {
      return await act()
    } catch (error) {
      if (databaseFailureOf(error) !== 'away') throw error
      if (performance.now() > deadline) {
        throw new Error(`The database did not answer within ${limitMs / 1000} s: ${messageOf(error)}`, { cause: error })
      }
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }
}

/** Node tries every address of a name and fails with all their errors at once. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
