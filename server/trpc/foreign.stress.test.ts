import { afterAll, expect, test } from 'vitest'
import { testDatabase } from '#server/testing/database.ts'
import { PROCEDURES } from '#server/testing/procedures/call-procedure.ts'
import { FOREIGN_EXEMPTIONS } from '#server/testing/procedures/foreign-exemptions.ts'
import { DESK_ROWS, nameOf } from '#server/testing/procedures/rows.ts'
import { tryProcedures } from '#server/testing/procedures/try-foreign.ts'

const { database } = await testDatabase()
const { tryRow, count, callers, tables } = await tryProcedures(database, FOREIGN_EXEMPTIONS)

afterAll(() => {
  console.log(
    `${Object.keys(PROCEDURES).length} procedures in ${DESK_ROWS.length} ways × ${callers.length} callers × own and foreign: ` +
      `${count.calls} calls, every row of ${tables.length} tables compared, ${count.trespasses} foreign rows changed or read`,
  )
})

test('tries every procedure', () => {
  const tried = new Set(DESK_ROWS.map(({ procedure }) => procedure))
  expect([...tried].sort()).toEqual(Object.keys(PROCEDURES).sort())
})

test.each(
  DESK_ROWS.map((row) => [nameOf(row), row] as const),
)('%s changes and reads only what the caller may access, for every caller', async (_name, row) => {
  expect(await tryRow(row)).toEqual([])
})
