import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import {
  type Header,
  keyCheckOf,
  linesIn,
  type Part,
  type SequenceValue,
  type TableHead,
  writeBackup,
} from '#server/cli/backup/backup-file.ts'
import { connectTo, DatabaseClient } from '#server/core/database/database-client.ts'

/** Options of the connections of both sides: dates are written and read in one way, whatever the server's is, and copying has no time limit. */
export const COPYING = { options: '-c datestyle=ISO -c timezone=UTC -c statement_timeout=0', query_timeout: 0 }

export interface Progress {
  /** Called with rows done and rows expected; the latter is an estimate. */
  onProgress?: ((done: number, expected: number) => void) | undefined
}

interface BackupOptions extends Progress {
  /** A connection string that may read every table, past any pooler. */
  url: string
  file: string
  key: Buffer
}

export interface BackupSummary {
  tables: number
  rows: number
}

/**
 * Writes the whole database to a file, as of one moment, while it is in use. Fails without a trace if the file exists or can't be written,
 * and for a database that Docket did not create.
 */
export async function backUp({ url, file, key, onProgress }: BackupOptions): Promise<BackupSummary> {
  const client = new DatabaseClient({ ...connectTo(url), ...COPYING })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const header = await readHeader(client, key)
    const summary = { tables: 0, rows: 0 }
    const count = (rows: number) => {
      summary.rows += rows
      onProgress?.(summary.rows, Math.max(header.rows, summary.rows))
    }
    const tables = await readTables(client)
    summary.tables = tables.length
    await writeBackup(file, key, readAll(client, { header, tables, count }))
    return summary
  } finally {
    await client.end()
  }
}

interface Reading {
  header: Header
  tables: TableHead[]
  count: (rows: number) => void
}

async function* readAll(client: pg.Client, { header, tables, count }: Reading): AsyncGenerator<Part> {
  yield { kind: 'header', header }
  for (const table of tables) {
    yield { kind: 'table', table }
    let rows = 0
    for await (const bytes of client.query(copyTo(`copy ${copiedOf(table)} to stdout`)) as AsyncIterable<Buffer>) {
      const lines = linesIn(bytes)
      rows += lines
      count(lines)
      yield { kind: 'data', bytes }
    }
    yield { kind: 'tableEnd', end: { rows } }
  }
  yield { kind: 'end', sequences: await readSequences(client) }
}

async function readHeader(client: pg.Client, key: Buffer): Promise<Header> {
  const isOurs = await client.query(`select to_regclass('public._prisma_migrations') is not null as yes`)
  if (!isOurs.rows[0]?.yes) throw new Error('This database has no Docket tables, so there is nothing to back up.')
  const { rows } = await client.query<Pick<Header, 'createdAt' | 'postgres' | 'migrations' | 'rows'>>(`
    select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "createdAt", current_setting('server_version') as postgres,
      (select json_agg(json_build_object('name', migration_name, 'checksum', checksum) order by migration_name)
       from _prisma_migrations where finished_at is not null and rolled_back_at is null) as migrations,
      (select coalesce(sum(greatest(c.reltuples, 0)), 0)::float8 from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p') and n.nspname in ('public', 'pgboss')) as rows`)
  const [found] = rows
  if (found === undefined) throw new Error('PostgreSQL did not answer what its database contains.')
  return { format: 'docket backup', version: 1, keyCheck: keyCheckOf(key), ...found }
}

/** Every table of Docket's, and the jobs of pg-boss; no generated column, as that can't be written. */
async function readTables(client: pg.Client): Promise<TableHead[]> {
  const { rows } = await client.query<TableHead>(`
    select n.nspname as schema, c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where ${OWN_TABLES}
    group by n.nspname, c.relname order by n.nspname desc, c.relname`)
  return rows
}

/** Whether `pg_class c` in `pg_namespace n` is a table that a backup has. A partition is read with its table. */
export const OWN_TABLES = `c.relkind in ('r', 'p') and not c.relispartition
  and (n.nspname = 'public' and c.relname <> '_prisma_migrations' or n.nspname = 'pgboss' and c.relname = 'job')`

/** Sequences are not part of a snapshot: read after all rows, they are never behind them. */
async function readSequences(client: pg.Client): Promise<SequenceValue[]> {
  const { rows } = await client.query<SequenceValue>(`
    select schemaname as schema, sequencename as name, last_value::text as value from pg_sequences
    where schemaname = 'public' and last_value is not null order by sequencename`)
  return rows
}

/** The table with its columns, as COPY names it; a partitioned table can only be copied by a query. */
function copiedOf({ schema, table, columns }: TableHead): string {
  return `(select ${columns.map(pg.escapeIdentifier).join(', ')} from ${nameOf({ schema, table })})`
}

export const nameOf = ({ schema, table }: Pick<TableHead, 'schema' | 'table'>) =>
  `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`
