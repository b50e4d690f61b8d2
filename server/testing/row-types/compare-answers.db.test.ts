import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import type { Answer } from '#server/testing/row-types/answers.ts'
import { CATALOGUE, type Catalogue } from '#server/testing/row-types/catalogue.ts'
import { type Comparison, compareAnswers } from '#server/testing/row-types/compare-answers.ts'
import { MISREADS, READS } from '#server/testing/row-types/misreads.ts'
import { recordedAnswers } from '#server/testing/row-types/record-answers.ts'

const { database } = await testDatabase()
const ctx = systemCtx(database)
const { userId } = await factoriesOf(database).user()
const catalogue: Catalogue = JSON.parse(readFileSync(CATALOGUE, 'utf8'))
const file = 'server/testing/row-types/misreads.ts'

const isOfFile = ({ callers }: Answer) => callers.some((caller) => caller.startsWith(file))
const compare = (answers: Answer[]): Comparison =>
  compareAnswers({
    answers: answers.filter(isOfFile),
    catalogue,
    files: [file, 'server/modules/accounts/roles/lock-person.ts'],
  })

test('finds a wrong column, a wrong type and a null that is not expected, of columns and of values', async () => {
  for (const read of [...READS, ...Object.values(MISREADS)]) await read(ctx, userId)

  const comparison = compare(recordedAnswers())

  const problems = comparison.findings.map(({ field, problem }) => `${field} ${problem}`)
  expect(problems.sort()).toEqual(Object.keys(MISREADS).sort())
  expect(comparison.unreached).toEqual([placeOf('isUnreached')])
})

/** Of the read whose row type has this field. */
function placeOf(field: string): string {
  const lines = readFileSync(file, 'utf8').split('\n')
  const line = lines.findIndex((text) => text.includes(`{ ${field}:`))
  return `${file}:${line + 1}:${(lines[line] ?? '').indexOf('query<') + 1}`
}
