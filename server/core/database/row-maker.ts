import { camelCase } from '#server/core/database/camel-case.ts'

type RowMaker = (values: unknown[]) => unknown

const rowMakers = new Map<string, RowMaker>()
const ROW_MAKERS_KEPT = 1_000

/**
 * Makes rows of these columns. Compiled once for each list of columns, as zod's schemas are: an object filled key by key takes ten times as
 * long to make, and longer to read.
 */
export function rowMaker(columns: string[]): RowMaker {
  // No name contains a zero byte.
  const key = columns.join('\0')
  const known = rowMakers.get(key)
  if (known !== undefined) return known
  const properties = columns.map((column, index) => `${JSON.stringify(camelCase(column))}: values[${index}]`)
  const made = new Function('values', `return { ${properties.join(', ')} }`) as RowMaker
  if (rowMakers.size < ROW_MAKERS_KEPT) rowMakers.set(key, made)
  return made
}
