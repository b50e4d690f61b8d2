import { afterAll, expect, test } from 'vitest'
import { operationsOf } from '#server/rest/docs/api-document.ts'
import { testApi } from '#server/testing/api.ts'
import { testDatabase } from '#server/testing/database.ts'
import { FOREIGN_EXEMPTIONS } from '#server/testing/routes/foreign-exemptions.ts'
import { nameOf, ROWS } from '#server/testing/routes/rows.ts'
import { REST_CALLERS, tryRoutes } from '#server/testing/routes/try-foreign.ts'

const { database } = await testDatabase()
const { call } = await testApi(database)
const routes = operationsOf((await call('GET', '/api/openapi.json')).body).map(
  ({ method, path }) => `${method} ${path}`,
)
const { tryRow, count, tables } = await tryRoutes(database, FOREIGN_EXEMPTIONS)

afterAll(() => {
  console.log(
    `${routes.length} routes in ${ROWS.length} ways × ${REST_CALLERS.length} callers × own and foreign: ` +
      `${count.calls} calls, every row of ${tables.length} tables compared, ${count.trespasses} foreign rows changed or read`,
  )
})

test('tries every route', () => {
  expect([...new Set(ROWS.map(({ route }) => route))].sort()).toEqual(routes.sort())
})

test.each(
  ROWS.map((row) => [nameOf(row), row] as const),
)('%s changes and reads only what the caller may access, for every caller', async (_name, row) => {
  expect(await tryRow(row)).toEqual([])
})
