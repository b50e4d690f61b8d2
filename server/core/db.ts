import { createHash } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import type { Sql } from '@prisma/client/runtime/client'
import pg from 'pg'
import type { Ctx } from '#server/core/ctx.ts'
import { databaseFailureOf } from '#server/core/database-failures.ts'
import type { Db, Pool } from '#server/core/db-types.ts'
import { Prisma, PrismaClient } from '#server/core/prisma/client.ts'

export type { Sql }
export { Prisma }

export interface Database {
  pool: Pool
  prisma: PrismaClient
  close(): Promise<void>
}

const CONNECT_TIMEOUT_MS = 5_000
const TRANSACTION_WAIT_MS = 4_000
const TRANSACTION_LIMIT_MS = 10_000
const STATEMENT_LIMIT_MS = 30_000

/**
 * Statements here are short and frequent: JIT compilation of one that the planner expects to be long costs more than it saves. The lower
 * trigram threshold allows for misspellings: a missing letter and a doubled one leave "prichard" little in common with "Pritchard".
 */
export const SESSION_OPTIONS = '-c timezone=UTC -c jit=off -c pg_trgm.word_similarity_threshold=0.5'

/**
 * Placed beside a condition whose value decides which plan is good, such as one post of many or some words. A statement that contains it is
 * planned for its values on each call; all others reuse the plan of their connection. With a million held comments, a plan for the average
 * post took 60 ms for one page; planning each time costs about 1 ms per page.
 */
export const NO_PREPARE = Prisma.raw('/* planned anew */')

/**
 * A list whose length the planner cannot see, as in `= any(${listOf(ids)})`. The planner assumes ten values and keeps that plan. If it sees
 * a single value, it rates the generic plan as worse and plans again on each call. Only for look-ups by a unique key.
 */
export function listOf(values: string[]): Sql {
  return Prisma.sql`(select ${values}::text[])::text[]`
}

/** One pool, shared with Prisma. `onError` receives errors of idle connections that broke; the pool replaces them. */
export function openDatabase(options: { url: string; connections: number; onError: (error: Error) => void }): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_LIMIT_MS,
    options: SESSION_OPTIONS,
  })
  pool.on('error', options.onError)
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool, { statementNameGenerator: ({ sql }) => statementName(sql) }),
    transactionOptions: { maxWait: TRANSACTION_WAIT_MS, timeout: TRANSACTION_LIMIT_MS },
  })
  return {
    pool,
    prisma,
    close: async () => {
      await prisma.$disconnect()
      await pool.end()
    },
  }
}

/** Runs `act` in one transaction; reuses the context's transaction if it has one. */
export function inTransaction<Result>(ctx: Ctx, act: (ctx: Ctx) => Promise<Result>): Promise<Result> {
  if (!isClient(ctx.db)) return act(ctx)
  return ctx.db.$transaction((db) => act({ ...ctx, db }))
}

/** A transaction has everything a client has, including nested transactions, but cannot connect. */
export function isClient(db: Db): db is PrismaClient {
  return '$connect' in db
}

/**
 * Runs one statement in the context's transaction, or on the pool; prepared once per connection. Cast columns of type bigint to text in the
 * statement: the two ways read them differently.
 */
export async function query<Row>(ctx: Ctx, sql: Prisma.Sql): Promise<Row[]> {
  if (!isClient(ctx.db)) return ctx.db.$queryRaw<Row[]>(sql)
  const result = await ctx.pool.query({ name: statementName(sql.text), text: sql.text, values: sql.values })
  return result.rows
}

/** The first row of one statement, or undefined. */
export async function queryOne<Row>(ctx: Ctx, sql: Prisma.Sql): Promise<Row | undefined> {
  const rows = await query<Row>(ctx, sql)
  return rows[0]
}

const statementNames = new Map<string, string>()
const STATEMENT_NAMES_KEPT = 1_000
/** PostgreSQL stores no plan for it. */
const UNNAMED = ''

function statementName(sql: string): string {
  const known = statementNames.get(sql)
  if (known !== undefined) return known
  if (sql.includes(NO_PREPARE.sql)) return UNNAMED
  const name = `s_${createHash('sha256').update(sql).digest('base64url').slice(0, 20)}`
  if (statementNames.size < STATEMENT_NAMES_KEPT) statementNames.set(sql, name)
  return name
}

/** Whether the database is temporarily unable to do it, as opposed to a bug on our side: the caller may retry. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return databaseFailureOf(error) !== undefined
}

/** Waits for the server to answer for at most `limitMs`; then fails with a one-line message. */
export async function waitForDatabase({ pool }: Database, limitMs: number): Promise<void> {
  await whileDatabaseIsAway(limitMs, () => pool.query('select 1'))
}

/** Retries `act` while the database is unavailable, for at most `limitMs`; then fails with a one-line message. */
export async function whileDatabaseIsAway<Result>(limitMs: number, act: () => Promise<Result>): Promise<Result> {
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
