import { expect, test } from 'vitest'
import { ERRORS } from '#server/core/errors.ts'
import { operationsOf } from '#server/rest/docs/api-document.ts'
import { CALLERS, STANDINGS } from '#server/testing/callers.ts'
import { createInBatches } from '#server/testing/create-in-batches.ts'
import { testDatabase } from '#server/testing/database.ts'
import { failureOf } from '#server/testing/routes/row.ts'
import { nameOf, ROWS } from '#server/testing/routes/rows.ts'
import { borders } from '#server/testing/scaled.ts'
import { forgetLists, makeScenes } from '#server/testing/scene.ts'
import { tableApi } from '#server/testing/table-api.ts'

const { database } = await testDatabase()
const api = await tableApi(database)

const DONE = 'done'

test('every route has a row, and every row a route', async () => {
  const { body: document } = await api.call('GET', '/api/openapi.json')
  const routes = operationsOf(document).map(({ method, path }) => `${method} ${path}`)
  expect([...new Set(ROWS.map(({ route }) => route))].sort()).toEqual(routes.sort())
})

const rows = ROWS.map((row) => ({ row, callers: borders(row.outcomes).map((at) => CALLERS[at] ?? 'nobody') }))
const scenesOfRows = createInBatches(
  rows,
  ({ callers }) => callers,
  (callers) =>
    forgetLists(database).then(() => makeScenes(database, { castings: callers.map((caller) => STANDINGS[caller]) })),
)

test.each(
  rows.map(({ row, callers }, index) => [nameOf(row), row, callers, index] as const),
)('%s gives each caller the answer in the table', async (_name, row, callers, index) => {
  const scenes = await scenesOfRows(index)
  const outcomes = await Promise.all(
    scenes.map(async (scene, nth) => {
      const caller = callers[nth] ?? 'nobody'
      return [caller, outcomeOf(await api.send(row, caller, scene))]
    }),
  )
  const expected = callers.map((caller) => [caller, failureOf(row.outcomes[CALLERS.indexOf(caller)] ?? 200) ?? DONE])
  expect(Object.fromEntries(outcomes)).toEqual(Object.fromEntries(expected))
})

test('docs contain the table', async () => {
  const cells = ROWS.map((row) => [nameOf(row), ...row.outcomes.map((outcome) => (outcome === 200 ? '✓' : outcome))])
  const lines = [['', ...CALLERS], CALLERS.map(() => '---').concat('---'), ...cells].map(
    (line) => `| ${line.join(' | ')} |`,
  )
  await expect(`${ABOUT_TABLE}\n${lines.join('\n')}\n`).toMatchFileSnapshot('../../docs/who-may-call-what.md')
})

const ABOUT_TABLE = `# Who may call what

Results per caller, in a public channel and a public community. A test calls every cell over HTTP and generates this page from
\`server/testing/routes\`, which describes the callers and how to add a route. ✓ is success; 401 is error code 400100, 403 is 400300, 404 is
400400 and 422 is 500000; a name is an error of \`server/core/errors.ts\`. Private resources are always 404 to strangers.
`

/** The error that matches an answer's status, code and message. */
function outcomeOf({ status, body }: { status: number; body?: { status?: string; code?: number; message?: string } }) {
  if (status === 200) return DONE
  const [failure] =
    Object.entries(ERRORS).find(
      ([, { http, wire, text }]) =>
        http === status && body?.status === 'error' && body.code === wire && body.message === text,
    ) ?? []
  return failure ?? `${status} ${JSON.stringify(body)}`
}
