import { SchemaEngine } from '@prisma/schema-engine-wasm'
import type { Pool } from 'pg'

/** The SQL that would make this database match the schema, without the tables named; empty if they already match. */
export async function sqlTowardsSchema(pool: Pool, schema: string, exceptTables: string[] = []): Promise<string> {
  const files = [{ path: 'schema.prisma', content: schema }]
  const engine = await SchemaEngine.new({ datamodels: undefined }, () => {}, readOnlyAdapter(pool))
  try {
    const { stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: '.' },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: null,
      filters: { externalTables: exceptTables.map((table) => `public.${table}`), externalEnums: [] },
    })
    return stdout?.startsWith('-- This is an empty migration') ? '' : (stdout ?? '')
  } finally {
    engine.free()
  }
}

/** Prisma's ColumnType for PostgreSQL's type ids, for the types in the catalogue's columns; all others are text. */
const COLUMN_TYPES: Record<number, number> = { 16: 5, 18: 6, 20: 1, 21: 0, 23: 0, 26: 1, 1003: 71, 1009: 71 }
const TEXT = 7

/**
 * The adapter through which the engine reads the catalogue. @prisma/adapter-pg does not work here: it supports neither PostgreSQL's "char"
 * nor its name type, which the catalogue uses throughout.
 */
function readOnlyAdapter(pool: Pool) {
  const about = { provider: 'postgres', adapterName: 'docket' }
  const connection = {
    ...about,
    async queryRaw({ sql, args }: { sql: string; args: unknown[] }) {
      const result = await pool.query({ text: sql, values: args, rowMode: 'array' })
      return ok({
        columnNames: result.fields.map((field) => field.name),
        columnTypes: result.fields.map((field) => COLUMN_TYPES[field.dataTypeID] ?? TEXT),
        rows: result.rows,
      })
    },
    getConnectionInfo: () => ok({ schemaName: 'public', supportsRelationJoins: true }),
    dispose: async () => ok(undefined),
  }
  return { ...about, connect: async () => ok(connection) }
}

function ok<Value>(value: Value) {
  return { ok: true, value }
}
