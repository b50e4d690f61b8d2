import { type Sql, sql } from '#server/core/db.ts'

/** The name of a column or table field in SQL: `userId` is `user_id`. */
export function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** A value as the driver takes it for any column but JSON, which takes text: an array is an array of PostgreSQL. */
type Value = string | number | boolean | Date | string[] | null | undefined

/** For `update … set`: `display_name = $1, tags = $2`. Leaves out what is undefined. Field names are the program's own, never a caller's. */
export function setColumns(fields: Record<string, Value>): Sql {
  return sql.join(given(fields).map(([column, value]) => sql`${column} = ${value}`))
}

/** For `insert into …`: `(display_name, tags) values ($1, $2)`. Leaves out what is undefined, which gets its default. */
export function insertColumns(fields: Record<string, Value>): Sql {
  const columns = given(fields)
  return sql`(${sql.join(columns.map(([column]) => column))}) values (${sql.join(columns.map(([, value]) => value))})`
}

function given(fields: Record<string, Value>): [Sql, Value][] {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => [sql.raw(columnOf(field)), value])
}
