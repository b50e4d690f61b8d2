import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

/** One row of COPY: its fields in the order of the columns; null is SQL's null. */
export type Row = (string | number | null)[]

export interface TableRows {
  table: string
  columns: string
  rows: Iterable<Row>
}

const CHUNK_CHARACTERS = 200_000
/** Tables with millions of rows. */
const LARGE = ['comment', 'message']

export async function fillTables(pool: pg.Pool, tables: TableRows[], say: (line: string) => void): Promise<void> {
  for (const { table, columns, rows } of tables) {
    const startedAt = performance.now()
    const fill = () => copy(pool, `copy ${table} (${columns}) from stdin`, rows)
    await (LARGE.includes(table) ? withoutIndexes(pool, table, fill) : fill())
    say(`  ${table}: ${Math.round((performance.now() - startedAt) / 1_000)} s`)
  }
}

async function copy(pool: pg.Pool, statement: string, rows: Iterable<Row>): Promise<void> {
  const client = await pool.connect()
  try {
    await pipeline(Readable.from(chunksOf(rows)), client.query(copyFrom(statement)))
  } finally {
    client.release()
  }
}

/** COPY's text format. No value generated here contains a tab, a line break or a backslash. */
function* chunksOf(rows: Iterable<Row>): Iterable<string> {
  let chunk = ''
  for (const row of rows) {
    chunk += `${row.map((value) => value ?? '\\N').join('\t')}\n`
    if (chunk.length < CHUNK_CHARACTERS) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}

/**
 * Drops the table's keys and indexes, runs `fill`, and recreates them as they were: many times faster for millions of rows. Their
 * definitions are read from the catalogue and stored nowhere else.
 */
export async function withoutIndexes(pool: pg.Pool, table: string, fill: () => Promise<void>): Promise<void> {
  const partsOf = async (statement: string) =>
    (await pool.query<{ name: string; definition: string }>(statement, [table])).rows
  // Keys first, then foreign keys. None here refers to a key of its own table, so they are dropped in any order.
  const constraints = await partsOf(
    `select quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where conrelid = $1::regclass and contype in ('p', 'u', 'f') order by contype = 'f', conname`,
  )
  const indexes = await partsOf(
    `select quote_ident(indexname) as name, indexdef as definition from pg_indexes
     where tablename = $1 and indexname not in (select conname from pg_constraint where conrelid = $1::regclass)`,
  )
  for (const { name } of constraints) await pool.query(`alter table ${table} drop constraint ${name}`)
  for (const { name } of indexes) await pool.query(`drop index ${name}`)

  await fill()
  for (const { name, definition } of constraints)
    await pool.query(`alter table ${table} add constraint ${name} ${definition}`)
  await Promise.all(indexes.map(({ definition }) => pool.query(definition)))
}

/**
 * Leaves the tables as autovacuum does, which never visits one that nothing was written to. PostgreSQL plans for a table that was found empty
 * by reading it from end to end, and keeps that plan until the next visit: after a minute of decisions, each reads the rows of all others.
 */
export async function vacuumFilled(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ tables: string | null }>(
    `select string_agg(oid::regclass::text, ', ') as tables from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_relation_size(oid) > 0`,
  )
  const tables = rows[0]?.tables
  if (tables) await pool.query(`vacuum analyze ${tables}`)
}
