import type { Pool } from '#server/core/database/db-types.ts'

/** The changes of one call in a table: each row as PostgreSQL writes it, before and after. */
export interface TableChange {
  table: string
  removed: string[]
  added: string[]
}

const RESTORES_BETWEEN_VACUUMS = 100

/** All rows of a table, and a fingerprint of their state: how many there are, and the latest version of any. */
interface SeenTable {
  mark: string
  rows: string[]
}

/**
 * Compares every row of every table, in every schema, of a test's own database, including tables that a later migration adds. The current
 * state is stored, and can be restored.
 */
export async function watchTables(pool: Pool) {
  const columns = await readColumns(pool)
  const tables = [...columns.keys()]
  const seen = new Map<string, SeenTable>()
  let restored = 0
  const readMarks = {
    name: 'marks_of_tables',
    text: tables
      .map(
        (table) =>
          `select '${table}' as name, count(*) || ' ' || coalesce(max(xmin::text::bigint), 0) as mark from ${table}`,
      )
      .join(' union all '),
  }

  async function readRows(table: string): Promise<string[]> {
    const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${table} t order by 1`)
    return rows.map(({ row }) => row)
  }

  /** The changes since the last call. */
  async function changes(): Promise<TableChange[]> {
    const found: TableChange[] = []
    const { rows: marks } = await pool.query<{ name: string; mark: string }>(readMarks)
    for (const { name, mark } of marks) {
      const before = seen.get(name)
      if (before?.mark === mark) continue
      const rows = await readRows(name)
      seen.set(name, { mark, rows })
      const [removed, added] = [without(before?.rows ?? [], rows), without(rows, before?.rows ?? [])]
      if (removed.length + added.length > 0) found.push({ table: name.replace(/^public\./, ''), removed, added })
    }
    return found
  }

  await changes()
  await pool.query('create schema kept')
  for (const table of tables) await pool.query(`create table ${keptOf(table)} as table ${table}`)
  const kept = new Map([...seen].map(([table, { rows }]) => [table, rows]))

  return {
    tables,
    changes,
    /** Restores the initial state, bypassing the triggers that protect the log. */
    restore: async () => {
      await changes()
      const others = tables.filter((table) => seen.get(table)?.rows.join('\n') !== kept.get(table)?.join('\n'))
      if (others.length === 0) return
      await pool.query(
        [
          'begin',
          `set local session_replication_role = 'replica'`,
          ...others.flatMap((table) => restoring(table, columns.get(table) ?? '')),
          'commit',
        ].join(';'),
      )
      // Each look reads all tables: what is left of removed rows would make it slower and slower.
      restored += 1
      if (restored % RESTORES_BETWEEN_VACUUMS === 0) await pool.query('vacuum')
      await changes()
    },
  }
}

/** The columns of every table that are written, rather than generated. */
async function readColumns(pool: Pool): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ name: string; columns: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname not in ('pg_catalog', 'information_schema')
    group by 1 order by 1`)
  return new Map(rows.map(({ name, columns }) => [name, columns]))
}

function restoring(table: string, columns: string): string[] {
  const kept = keptOf(table)
  return [
    `delete from ${table} t where t::text not in (select k::text from ${kept} k)`,
    `insert into ${table} (${columns}) overriding system value
     select ${columns} from ${kept} k where k::text not in (select t::text from ${table} t)`,
  ]
}

function keptOf(table: string): string {
  return `kept.${table.replace('.', '_')}`
}

/** The rows of one sorted list that the other lacks, as often as it lacks them. */
function without(rows: string[], others: string[]): string[] {
  const left = new Map<string, number>()
  for (const row of others) left.set(row, (left.get(row) ?? 0) + 1)
  return rows.filter((row) => {
    const count = left.get(row) ?? 0
    left.set(row, count - 1)
    return count <= 0
  })
}
