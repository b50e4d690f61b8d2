import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { type BackupSummary, COPYING, nameOf, OWN_TABLES, type Progress } from '#server/cli/backup/back-up.ts'
import { type Part, readBackup, type SequenceValue, type TableHead } from '#server/cli/backup/backup-file.ts'
import { connectTo, DatabaseClient } from '#server/core/database/database-client.ts'
import { applyTo } from '../../../prisma/migrate.ts'

interface RestoreOptions extends Progress {
  /** A connection string of the owner of all tables, past any pooler. */
  url: string
  file: string
  key: Buffer
  /** Whether endpoints and classifiers go on as they were. Without it they are off: a copy beside the running system would post to the same receivers. */
  delivers: boolean
  /** Creates the tables of pg-boss, which has migrations of its own. */
  createJobs: () => Promise<void>
}

/**
 * Loads a backup into an empty database, in one transaction, at the schema that it was written at; later migrations are applied by the next
 * start. The whole file is checked before anything is written. Fails, and leaves the database empty, if the file is not exactly what
 * `backUp` wrote with this secret, if it has migrations that this version doesn't know, or if the database has tables.
 */
export async function restore(options: RestoreOptions): Promise<BackupSummary> {
  const { url, file, key, delivers, createJobs, onProgress } = options
  const sequences = await check(file, key)
  const client = new DatabaseClient({ ...connectTo(url), ...COPYING })
  client.on('error', () => {})
  await client.connect()
  try {
    await assertEmpty(client)
    await createJobs()
    await client.query('begin')
    const summary = await load(client, { parts: readBackup(file, key), sequences, onProgress })
    if (!delivers) await switchOff(client)
    await client.query('commit')
    await client.query('analyze')
    return summary
  } finally {
    // Without its end the transaction is rolled back.
    await client.end()
  }
}

async function switchOff(client: pg.Client): Promise<void> {
  await client.query(`
    update webhook_endpoint set disabled_at = now(), disabled_reason = 'person', version = version + 1
    where removed_at is null and disabled_at is null`)
  await client.query(`
    update classifier set disabled_at = now(), version = version + 1 where removed_at is null and disabled_at is null`)
  await client.query('update translation_settings set is_on = false, version = version + 1 where is_on')
}

/** Reading it checks it. Returns what stands at its end. */
async function check(file: string, key: Buffer): Promise<SequenceValue[]> {
  let sequences: SequenceValue[] = []
  for await (const part of readBackup(file, key)) if (part.kind === 'end') sequences = part.sequences
  return sequences
}

async function assertEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p', 'v') limit 1`)
  if (rows[0] !== undefined)
    throw new Error(`The database is not empty: it has the table ${rows[0].name}. Restore into an empty database.`)
}

type Parts = AsyncGenerator<Part, void>

interface Loading extends Progress {
  parts: Parts
  sequences: SequenceValue[]
}

async function load(client: pg.Client, { parts, sequences, onProgress }: Loading): Promise<BackupSummary> {
  const summary = { tables: 0, rows: 0 }
  let expected = 0
  let rebuild: string[] = []
  for await (const part of parts) {
    if (part.kind === 'header') {
      expected = part.header.rows
      await applyTo(client, part.header.migrations)
      rebuild = await takeApart(client)
      await restartPartitions(client, sequences)
    }
    if (part.kind === 'table') {
      summary.rows += await loadTable(client, part.table, parts)
      summary.tables += 1
      onProgress?.(summary.rows, Math.max(expected, summary.rows))
    }
  }
  await setSequences(client, sequences)
  for (const statement of rebuild) await client.query(statement)
  return summary
}

/** What follows in the file is the table's data, and its end. */
async function loadTable(client: pg.Client, head: TableHead, parts: Parts): Promise<number> {
  const columns = head.columns.map(pg.escapeIdentifier).join(', ')
  const into = client.query(copyFrom(`copy ${nameOf(head)} (${columns}) from stdin`))
  const written = finished(into)
  // Awaited below: an error before that must not end the process.
  written.catch(() => {})
  for (;;) {
    const { value: part, done } = await parts.next()
    if (done || part.kind === 'tableEnd') break
    if (part.kind === 'data' && !into.write(part.bytes)) await Promise.race([once(into, 'drain'), written])
  }
  into.end()
  await written
  return into.rowCount
}

/**
 * Empties the tables, which migrations filled, and removes what would slow down the load or act on each row; returns the statements that put
 * it back: indexes, foreign keys and triggers.
 */
async function takeApart(client: pg.Client): Promise<string[]> {
  const { rows: tables } = await client.query<{ name: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${OWN_TABLES} and n.nspname = 'public'`)
  const { rows: keys } = await client.query<{ drop: string; create: string }>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0`)
  const { rows: indexes } = await client.query<{ drop: string; create: string }>(`
    select format('drop index %s', i.indexrelid::regclass) as drop, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') as create
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
    where c.relnamespace = 'public'::regnamespace and not c.relispartition and not t.relispartition
      and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
      and i.indrelid <> '_prisma_migrations'::regclass and not exists (select from pg_inherits h where h.inhrelid = i.indexrelid)`)

  for (const { name } of tables) await client.query(`alter table ${name} disable trigger user`)
  for (const { drop } of [...keys, ...indexes]) await client.query(drop)
  await client.query(`truncate ${tables.map(({ name }) => name).join(', ')}`)
  return [
    ...[...indexes, ...keys].map(({ create }) => create),
    ...tables.map(({ name }) => `alter table ${name} enable trigger user`),
  ]
}

/** Events and deliveries belong to a partition that ends after them; the number of an event is never greater than its id. */
async function restartPartitions(client: pg.Client, sequences: SequenceValue[]): Promise<void> {
  const reached = sequences.find(({ name }) => name === 'event_event_id_seq')?.value ?? '0'
  await client.query(`select restart_partitions('{event,delivery,delivery_try}', $1)`, [reached])
}

async function setSequences(client: pg.Client, sequences: SequenceValue[]): Promise<void> {
  await client.query(
    `select setval(format('%I.%I', s.schema, s.name)::regclass, s.value)
     from json_to_recordset($1::json) as s(schema text, name text, value bigint)`,
    [JSON.stringify(sequences)],
  )
}
