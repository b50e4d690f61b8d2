import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '#server/core/database/open-database.ts'
import { createInBatches } from '#server/testing/create-in-batches.ts'
import { testDatabase } from '#server/testing/database.ts'
import { PROCEDURES, procedureCalls } from '#server/testing/procedures/call-procedure.ts'
import { DESK_CALLERS, type DeskScene, makeDeskScenes } from '#server/testing/procedures/desk-callers.ts'
import type { DeskRow } from '#server/testing/procedures/row.ts'
import { DESK_ROWS, nameOf } from '#server/testing/procedures/rows.ts'
import { recordStatements } from '#server/testing/recorded-statements.ts'
import { failureOf } from '#server/testing/routes/row.ts'
import { borders, sampled } from '#server/testing/scaled.ts'
import { forgetLists } from '#server/testing/scene.ts'

const { database, url } = await testDatabase()
const hubDatabase = openDatabase({ url, connections: 2, onError: () => {} })
afterAll(() => hubDatabase.close())
const call = procedureCalls(database, hubDatabase)
const DONE = 'done'
const recorded = recordStatements(database.pool)

test('every procedure has a row, and every row a procedure', () => {
  const procedures = Object.keys(PROCEDURES)
  expect([...new Set(DESK_ROWS.map(({ procedure }) => procedure))].sort()).toEqual(procedures.sort())
})

const rows = DESK_ROWS.map((row) => ({
  row,
  callers: borders(row.outcomes).map((at) => DESK_CALLERS[at] ?? 'nobody'),
}))
const scenesOfRows = createInBatches(
  rows,
  ({ callers }) => callers,
  (callers) => forgetLists(database).then(() => makeDeskScenes(database, callers)),
)

test.each(
  rows.map(({ row, callers }, index) => [nameOf(row), row, callers, index] as const),
)('%s gives each caller the answer in the table', async (_name, row, callers, index) => {
  const scenes = await scenesOfRows(index)
  const outcomes: [string, string][] = []
  for (const [nth, scene] of scenes.entries()) outcomes.push([callers[nth] ?? '', await outcomeOf(row, scene)])
  const expected = callers.map((caller) => [
    caller,
    failureOf(row.outcomes[DESK_CALLERS.indexOf(caller)] ?? 200) ?? DONE,
  ])
  expect(Object.fromEntries(outcomes)).toEqual(Object.fromEntries(expected))
})

/** Mutations, each with the last of its callers who succeeds. */
const mutations = sampled(DESK_ROWS, Math.ceil(DESK_ROWS.length / 3)).flatMap((row) => {
  const caller = DESK_CALLERS[row.outcomes.lastIndexOf(200)]
  return PROCEDURES[row.procedure]?._def.type === 'mutation' && caller !== undefined ? [{ row, caller }] : []
})
const scenesOfMutations = createInBatches(
  mutations,
  ({ caller }) => [caller],
  (callers) => forgetLists(database).then(() => makeDeskScenes(database, callers)),
)

test.each(
  mutations.map(({ row }, index) => [nameOf(row), row, index] as const),
)('%s queries nothing after its last commit: what was done is answered as done', async (_name, row, index) => {
  const [scene] = await scenesOfMutations(index)
  if (scene === undefined) throw new Error('each caller has a scene')
  const sent = await row.input?.(scene)
  const me = await scene.mine()
  recorded.clear()

  expect(await call(row.procedure, sent, { me: scene.me, mine: async () => me })).toHaveProperty('answer')

  const committed = recorded.all.lastIndexOf('COMMIT')
  expect(committed === -1 ? [] : recorded.all.slice(committed + 1)).toEqual([])
})

test('docs contain the table', async () => {
  const cells = DESK_ROWS.map((row) => [
    nameOf(row),
    ...row.outcomes.map((outcome) => (outcome === 200 ? '✓' : outcome)),
  ])
  const lines = [['', ...DESK_CALLERS], DESK_CALLERS.map(() => '---').concat('---'), ...cells].map(
    (line) => `| ${line.join(' | ')} |`,
  )
  await expect(`${ABOUT_TABLE}\n${lines.join('\n')}\n`).toMatchFileSnapshot('../../docs/who-may-do-what.md')
})

const ABOUT_TABLE = `# Who may do what at the desk

Results per caller, in a public channel and a public community. A test calls every cell and generates this page from
\`server/testing/procedures\`, which describes the callers and how to add a procedure. ✓ is success; 401, 403, 404 and 422 are the errors of
[who may call what](who-may-call-what.md); a name is an error of \`server/core/errors.ts\`. "Elsewhere" is a moderator of another space,
with no role in this one.
`

async function outcomeOf({ procedure, input }: DeskRow, scene: DeskScene): Promise<string> {
  const outcome = await call(procedure, await input?.(scene), scene)
  return 'failure' in outcome ? outcome.failure : DONE
}
