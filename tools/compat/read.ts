import assert from 'node:assert/strict'

/** The value at this path of a response; undefined if there is none. */
export function at(answer: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    answer,
  )
}

export function idAt(answer: unknown, ...path: (string | number)[]): string {
  const id = at(answer, ...path)
  assert.ok(typeof id === 'string', `no id at ${path.join('.')}`)
  return id
}

/** One field of every row of a list, in alphabetical order. */
export function eachOf(answer: unknown, list: string, field: string): unknown[] {
  const rows = at(answer, list)
  assert.ok(Array.isArray(rows), `no list at ${list}`)
  return rows.map((row) => at(row, field)).sort()
}

/** Asserts that a response contains at least this. */
export function holds(answer: unknown, least: object): void {
  assert.partialDeepStrictEqual(answer, least)
}
