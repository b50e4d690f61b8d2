import type { Pool } from 'pg'
import type { Undeclared } from './catalogue.ts'
import { readCatalogue, undeclaredIn } from './catalogue.ts'
import { sqlTowardsSchema } from './schema-diff.ts'

export interface Drift {
  /** The SQL a migration would need to make the database match schema.prisma. */
  sql: string
  /** What the database has beyond schema.prisma, and how that differs from the expected lines. */
  catalogue: string[]
  missing: string[]
  surplus: string[]
}

/**
 * Compares a migrated database with schema.prisma and with the lines of catalogue.txt. Only the tables and indexes that catalogue.txt names
 * may exist without a declaration in schema.prisma.
 */
export async function findDrift(pool: Pool, expected: { schema: string; catalogue: string[] }): Promise<Drift> {
  const accepted = undeclaredIn(expected.catalogue)
  const sql = await sqlTowardsSchema(pool, expected.schema, accepted.tables)

  const catalogue = await readCatalogue(pool, droppedBy(await sqlTowardsSchema(pool, expected.schema)))
  const has = new Set(catalogue)
  const expects = new Set(expected.catalogue)
  return {
    sql: withoutDrops(sql, accepted.indexes),
    catalogue,
    missing: expected.catalogue.filter((line) => !has.has(line)),
    surplus: catalogue.filter((line) => !expects.has(line)),
  }
}

const DROP = /^-- Drop(?:Index|Table)\nDROP (INDEX|TABLE) "([^"]+)";\n+/gm

/** The engine would drop whatever schema.prisma does not declare. */
function droppedBy(sql: string): Undeclared {
  const dropped = [...sql.matchAll(DROP)].map(([, kind, name]) => `${kind?.toLowerCase()} ${name}`)
  return undeclaredIn(dropped)
}

function withoutDrops(sql: string, indexes: string[]): string {
  return sql
    .replaceAll(DROP, (drop, kind: string, name: string) => (kind === 'INDEX' && indexes.includes(name) ? '' : drop))
    .trim()
}
