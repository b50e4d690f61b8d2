import type { Statement } from '../measure/record-statements.ts'

/**
 * One prepared statement, written by hand, that reads everything an answer needs and checks no permissions. No answer that is read from the
 * database can cost less. What roles permit is left out, as a server may keep it in memory, and counts are read as folded.
 */
export type Floor = Statement & { name: string }

/** `name` is that of the prepared statement. */
export function floor(name: string, text: string, values: unknown[]): Floor {
  return { name, text, values, rowMode: 'array' }
}
