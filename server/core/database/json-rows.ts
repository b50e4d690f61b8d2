import { rowMaker } from '#server/core/database/row-maker.ts'
import { type Sql, sql } from '#server/core/db.ts'

/** All rows of a query as one JSON value, in its order: for `rowsOfJson`. */
export function jsonOfRows(rows: Sql): Sql {
  return sql`(select json_agg(one) from (${rows}) one)`
}

type JsonRow = Record<string, unknown>

/** Rows with the same columns that a statement gathered as JSON, as `query` reads them: columns in camelCase, and these columns as dates. */
export function rowsOfJson<Row>(rows: JsonRow[] | null | undefined, dates: readonly (keyof Row & string)[]): Row[] {
  if (!rows) return []
  const [first] = rows
  const toRow = rowMaker(Object.keys(first ?? {}))
  return rows.map((row) => {
    const read = toRow(Object.values(row)) as JsonRow
    for (const column of dates) if (typeof read[column] === 'string') read[column] = new Date(read[column])
    return read as Row
  })
}
