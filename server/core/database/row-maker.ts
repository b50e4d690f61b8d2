import { raw, type Sql } from 'sql-template-tag'
import { camelCase } from '#server/core/database/camel-case.ts'

type RowMaker = (values: unknown[]) => unknown

const rowMakers = new Map<string, RowMaker>()
const ROW_MAKERS_KEPT = 1_000

/** How the name of a column ends that only begins an object. */
const BEGINS = ':'

/**
 * A column in front of those of a joined row: they, up to the next such column, are read as one object of this name, or as null where the
 * first of them is null.
 */
export function joinedRow(name: string): Sql {
  return raw(`null as "${name}${BEGINS}"`)
}

/**
 * Makes rows of these columns. Compiled once for each list of columns, as zod's schemas are: an object filled key by key takes ten times as
 * long to make, and longer to read.
 */
export function rowMaker(columns: string[]): RowMaker {
  // No name contains a zero byte.
  const key = columns.join('\0')
  const known = rowMakers.get(key)
  if (known !== undefined) return known
  const made = new Function('values', `return ${objectOf(columns)}`) as RowMaker
  if (rowMakers.size < ROW_MAKERS_KEPT) rowMakers.set(key, made)
  return made
}

function objectOf(columns: string[], from = 0): string {
  const beginnings = columns.flatMap((column, index) => (column.endsWith(BEGINS) ? [index] : []))
  const joined = beginnings.map((at, nth) => {
    const name = JSON.stringify(columns[at]?.slice(0, -BEGINS.length))
    const first = at + 1
    return `${name}: values[${first}] === null ? null : ${objectOf(columns.slice(first, beginnings[nth + 1]), first)}`
  })
  const own = columns
    .slice(0, beginnings[0])
    .map((column, index) => `${JSON.stringify(camelCase(column))}: values[${from + index}]`)
  return `{ ${[...own, ...joined].join(', ')} }`
}
