import { afterAll, afterEach, expect, test } from 'vitest'
import { ERRORS } from '#server/core/errors.ts'
import { testDatabase } from '#server/testing/database.ts'
import { procedureCalls } from '#server/testing/procedures/call-procedure.ts'
import { DESK_CALLERS, makeDeskScenes } from '#server/testing/procedures/desk-callers.ts'
import { DESK_ROWS, nameOf } from '#server/testing/procedures/rows.ts'
import { watchTables } from '#server/testing/watch-tables.ts'

const ODD: unknown[] = [
  '',
  ' ',
  '\0',
  '\ud800',
  'a\u202eb\u200b',
  '__proto__',
  'constructor',
  "'; drop table audit; --",
  '%_\\',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '../../../etc/passwd',
  '(a+)+$',
  '2026-02-30',
  '9'.repeat(40),
  '漢'.repeat(5_000),
  '👩‍👩‍👧‍👦'.repeat(300),
  '-1',
  -1,
  1e308,
  Number.MAX_SAFE_INTEGER,
  0.1,
  null,
  true,
  [],
  {},
  [[]],
]

const { database } = await testDatabase()
const scenes = await makeDeskScenes(database)
const call = procedureCalls(database)
const { restore } = await watchTables(database.pool)
const seats = ['community moderator', 'admin'] as const
const seen = new Set<string>()
let calls = 0
afterEach(restore)
afterAll(() => console.log(`${calls} calls with odd values, answered with ${[...seen].sort().join(', ')}`))

test.each(
  DESK_ROWS.filter(({ input }) => input !== undefined).map((row) => [nameOf(row), row] as const),
)('%s succeeds or fails with a message, whatever any of its values is', async (_name, { procedure, input }) => {
  for (const seat of seats) {
    const scene = scenes[DESK_CALLERS.indexOf(seat)]
    if (scene === undefined) throw new Error('each caller has a scene')
    const right = await input?.(scene)
    for (const raw of ODD.flatMap((odd) => [odd, ...withEach(right, odd)])) {
      const outcome = await call(procedure, raw, scene)
      const failure = 'failure' in outcome ? outcome.failure : 'done'
      seen.add(failure)
      calls += 1
      expect([failure, failure === 'done' || (failure in ERRORS && !UNWANTED.has(failure)), raw]).toEqual([
        failure,
        true,
        raw,
      ])
    }
    await restore()
  }
})

const UNWANTED = new Set(['UNEXPECTED', 'UNAVAILABLE'])

/** The value with one of its parts, at any depth, replaced; each part in turn. */
function withEach(value: unknown, odd: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) =>
    [odd, ...withEach(part, odd)].map((other) =>
      Array.isArray(value) ? value.with(Number(name), other) : { ...value, [name]: other },
    ),
  )
}
