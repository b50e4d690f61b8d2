import { expect, test } from 'vitest'
import { testDatabase } from '#server/testing/database.ts'
import { FOREIGN_EXEMPTIONS } from '#server/testing/procedures/foreign-exemptions.ts'
import { DESK_ROWS, nameOf } from '#server/testing/procedures/rows.ts'
import { tryProcedures } from '#server/testing/procedures/try-foreign.ts'

const { database } = await testDatabase()
const { tryRow } = await tryProcedures(database, FOREIGN_EXEMPTIONS)

/** `npm run test:stress` covers every other caller. */
test.each(
  DESK_ROWS.map((row) => [nameOf(row), row] as const),
)('%s changes and reads nothing of a private community for a moderator of another one', async (_name, row) => {
  expect(await tryRow(row, ['community moderator'])).toEqual([])
})
