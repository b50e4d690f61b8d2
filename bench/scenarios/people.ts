import { digestOf, keptDatabase, MIGRATIONS } from '../data/bench-database.ts'
import { withDatabase } from '../data/bench-people.ts'
import { fillTables } from '../data/generate.ts'
import { type Random, seededRandom } from '../data/random.ts'
import { internalId, personId, samplePeople } from '../data/sample-people.ts'
import { compare, type Target } from '../measure/load.ts'
import { makeDeskSessions } from '../programs/desk-sessions.ts'
import { type Program, SECRET, withDocket } from '../programs/programs.ts'
import type { ComparedQuery } from '../reports/compared-report.ts'
import type { Report } from '../reports/results.ts'
import { reportOf } from './people-report.ts'

const MADE_BY = ['bench/data/{random,sample-people}.ts', MIGRATIONS]
/** The number of different people searched for in turn. */
const LOOKED_UP = 200

interface Options {
  people: number
  seconds: number
  say: (line: string) => void
}

interface Sought {
  number: number
  name: string
  handle: string
}

/** The people search with what a support agent types and gets, among `people` people. */
export async function benchPeople(
  serverUrl: string,
  { people, seconds, say }: Options,
): Promise<{ report: Report; databaseUrl: string }> {
  const databaseUrl = await keptDatabase(serverUrl, {
    name: `docket_bench_people_${people}`,
    madeBy: await digestOf(MADE_BY),
    fill: async (pool) => {
      const columns = 'user_id, internal_id, display_name, profile_handle, created_at'
      await fillTables(pool, [{ table: 'network_user', columns, rows: samplePeople(people) }], say)
    },
    say,
  })
  const [cookie = ''] = await withDatabase(databaseUrl, (database) =>
    makeDeskSessions(database, { count: 1, secret: SECRET, networkRole: 'support' }),
  )
  return withDocket(databaseUrl, async (docket) => {
    const sought = choose(people)
    const { exact, ...others } = waysToLookUp(sought, people)
    const measures: ComparedQuery[] = []
    for (const [name, typed] of Object.entries(others)) {
      say(name)
      const ways = [targetOf(docket, cookie, typed), targetOf(docket, cookie, exact)] as const
      measures.push({ name, ...(await compare(...ways, { connections: 1, seconds })) })
    }
    return { databaseUrl, report: reportOf(people, measures) }
  })
}

/** People with a unique name, from all over the table. */
function choose(people: number): Sought[] {
  const step = Math.max(1, Math.floor(people / LOOKED_UP))
  const sought: Sought[] = []
  let number = -1
  for (const [, , name, handle] of samplePeople(people)) {
    number += 1
    if (number >= sought.length * step && !/ \d+$/.test(String(name)))
      sought.push({ number, name: String(name), handle: String(handle) })
  }
  return sought
}

function waysToLookUp(sought: Sought[], people: number) {
  const random = seededRandom(people)
  return {
    exact: sought.map(({ name }) => name),
    'by id': sought.map(({ number }) => personId(number)),
    'by internal id': sought.map(({ number }) => internalId(number)),
    'by handle': sought.map(({ handle }) => handle),
    'by the beginning of the name': sought.map(({ name }) => name.slice(0, -2)),
    'by the family name': sought.map(({ name }) => name.slice(name.indexOf(' ') + 1)),
    'a letter left out': sought.map(({ name }) => withTypo(name, random, () => '')),
    'a letter twice': sought.map(({ name }) => withTypo(name, random, (letter) => letter + letter)),
    'another letter': sought.map(({ name }) => withTypo(name, random, () => 'x')),
    'two letters changed over': sought.map(({ name }) => transposed(name, random)),
    'an error in each word, in another order': sought.map(({ name }) => misspelt(name, random)),
    'in capitals, the family name first': sought.map(({ name }) => name.toUpperCase().split(' ').reverse().join('  ')),
    'a letter left out of the handle': sought.map(({ handle }) => withTypo(handle, random, () => '')),
    'a name nobody has': sought.map(({ number }) => `Qzw${number} Xvkj`),
  }
}

/** A typing error somewhere within a name. */
function withTypo(name: string, random: Random, instead: (letter: string) => string): string {
  const position = 2 + Math.floor(random() * (name.length - 4))
  return `${name.slice(0, position)}${instead(name.charAt(position))}${name.slice(position + 1)}`
}

function transposed(name: string, random: Random): string {
  const position = 1 + Math.floor(random() * (name.length - 3))
  return `${name.slice(0, position)}${name.charAt(position + 1)}${name.charAt(position)}${name.slice(position + 2)}`
}

function misspelt(name: string, random: Random): string {
  return name
    .split(' ')
    .reverse()
    .map((word) => (word.length > 4 ? withTypo(word, random, () => 'x') : word))
    .join(' ')
}

function targetOf({ origin }: Program, cookie: string, typed: string[]): Target {
  let turn = 0
  return {
    origin,
    method: 'GET',
    headers: { cookie },
    nextPath: () => {
      const query = typed[turn % typed.length] ?? ''
      turn += 1
      return `/api/trpc/users.find?input=${encodeURIComponent(JSON.stringify({ query }))}`
    },
  }
}
