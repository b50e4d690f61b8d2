import pg from 'pg'
import template, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Ctx } from '#server/core/ctx.ts'
import { isPlanOutdated, TOOK_TOO_LONG } from '#server/core/database/database-failures.ts'
import type { Db, Pool } from '#server/core/database/db-types.ts'
import { rowMaker } from '#server/core/database/row-maker.ts'
import { SharedConnections, sharedByReads, sharedByWrites } from '#server/core/database/shared-connections.ts'
import { forgetStatements, namedStatement, statementName } from '#server/core/database/statement-names.ts'
import { statementSpan } from '#server/core/database/statement-span.ts'
import { publishWritten, tablesWritten } from '#server/core/database/writes.ts'
import { inFirstSpan, inSpan } from '#server/core/tracing.ts'

export type { Sql }

/** A piece of SQL with its values: pieces nest, and every value becomes a parameter. */
export const sql = Object.assign(template, { join, raw, empty })

const TRANSACTION_LIMIT_MS = 10_000

/**
 * A list whose length the planner cannot see, as in `= any(${listOf(ids)})`. The planner assumes ten values and keeps that plan. If it sees
 * a single value, it rates the generic plan as worse and plans again on each call. Only for look-ups by a unique key.
 */
export function listOf(values: string[]): Sql {
  return sql`(select ${values}::text[])::text[]`
}

/**
 * Runs `act` in one transaction; reuses the context's transaction if it has one. A transaction that takes longer than `limitMs`
 * is rolled back, and its next statement fails. Fails if a statement failed and `act` ignored that: PostgreSQL has rolled it back.
 */
export async function inTransaction<Result>(
  ctx: Ctx,
  act: (ctx: Ctx) => Promise<Result>,
  { limitMs = TRANSACTION_LIMIT_MS } = {},
): Promise<Result> {
  if (isInTransaction(ctx)) return act(ctx)
  return inFirstSpan({ name: 'transaction' }, () => runTransaction(ctx, act, limitMs))
}

async function runTransaction<Result>(ctx: Ctx, act: (ctx: Ctx) => Promise<Result>, limitMs: number): Promise<Result> {
  const { db, end } = await openTransaction(ctx.pool, limitMs)
  try {
    const result = await act({ ...ctx, db })
    await end('COMMIT')
    publishWritten(ctx.pool, [...db.written])
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
  const db = {
    query: (statement: pg.QueryArrayConfig<unknown[]>) =>
      over === undefined ? client.query(statement) : Promise.reject(over),
    written: new Set<string>(),
  } satisfies Db
  const end = async (how: 'COMMIT' | 'ROLLBACK') => {
    if (over !== undefined) throw over
    over = new Error('The transaction is over')
    clearTimeout(limit)
    const { command } = await client.query(how).catch((error) => {
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
  return ctx.db !== ctx.pool && !(ctx.db instanceof SharedConnections)
}

/** For short reads that may share connections with those of other calls; the context's transaction stays what it is. */
export function onSharedConnections<Call extends Ctx>(ctx: Call): Call {
  return ctx.db === ctx.pool ? { ...ctx, db: sharedByReads(ctx.pool) } : ctx
}

/** For short writes that hardly ever wait for a lock: may share connections with those of other calls; a transaction stays what it is. */
export function onSharedWriteConnections<Call extends Ctx>(ctx: Call): Call {
  return ctx.db === ctx.pool ? { ...ctx, db: sharedByWrites(ctx.pool) } : ctx
}

type Runs = Pick<Ctx, 'db'>
type Statement = Pick<Sql, 'strings' | 'text' | 'values'>

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

async function send(db: Db, statement: Statement) {
  const { name, text } = namedStatement(statement)
  const { values } = statement
  const run = (name: string) =>
    inSpan(
      () => statementSpan(text, name),
      () => {
        const sent = { name, text, values, rowMode: 'array' as const }
        return db.query(sent)
      },
    )
  const result = await run(name).catch((error) => {
    if (!isPlanOutdated(error)) throw error
    // Once for all statements that are under way.
    if (statementName(text) === name) forgetStatements()
    // A transaction has failed, and its caller may try it again.
    if (!(db instanceof pg.Pool || db instanceof SharedConnections)) throw error
    return run(statementName(text))
  })
  noteWritten(db, text)
  return result
}

/** Published at once, or when the transaction is committed. */
function noteWritten(db: Db, text: string): void {
  const tables = tablesWritten(text)
  if (db.written !== undefined) for (const table of tables) db.written.add(table)
  else if (db instanceof SharedConnections) publishWritten(db.pool, tables)
  else if (db instanceof pg.Pool) publishWritten(db, tables)
}
