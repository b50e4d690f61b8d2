import { globSync, readFileSync } from 'node:fs'
import { ANSWERS, type Answer } from '#server/testing/row-types/answers.ts'
import { CATALOGUE } from '#server/testing/row-types/catalogue.ts'
import { compareAnswers } from '#server/testing/row-types/compare-answers.ts'

/** Fields that are as they are read for a reason that neither the schema nor the driver knows. */
const EXCEPTIONS: Record<string, string> = {}

/** Files of reads that no database test reaches in its own process. */
const UNREACHED: Record<string, string> = {}

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const files = globSync('{server,prisma}/**/*.ts', {
  exclude: ['server/core/prisma/**', 'server/testing/**', '**/*.test.ts'],
}).filter((path) => /\b(query|rowsOfJson)/.test(readFileSync(path, 'utf8')))
const answers: Answer[] = globSync(`${ANSWERS}/[0-9]*.json`).flatMap(read)
const fileOf = (place: string) => place.split(':')[0] ?? ''

const { findings, unreached } = compareAnswers({ answers, catalogue: read(CATALOGUE), files })
const wrong = [
  ...findings.map(({ place, field, problem }) => ({
    key: `${fileOf(place)} ${field}`,
    line: `${place}: ${field} ${problem}`,
  })),
  ...unreached.map((place) => ({ key: fileOf(place), line: `${place}: no database test reads these rows` })),
]
const exceptions = { ...EXCEPTIONS, ...UNREACHED }
const unused = Object.keys(exceptions).filter((exception) => !wrong.some(({ key }) => key === exception))
const lines = [
  ...new Set(wrong.filter(({ key }) => !(key in exceptions)).map(({ line }) => line)),
  ...unused.map((exception) => `${exception}: is no longer an exception`),
].sort()
for (const line of lines) console.error(line.slice(0, 1_000))
if (lines.length > 0) process.exitCode = 1
console.log(`Compared the types of rows with ${answers.length} answers: ${lines.length} problems`)
