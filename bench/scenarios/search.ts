import { stringify } from 'node:querystring'
import { keptDatabase, withCopy } from '../data/bench-database.ts'
import { issueToken, withDatabase } from '../data/bench-people.ts'
import { fillTables } from '../data/fill.ts'
import { authorId, channelId, messagesOf, RARE_PHRASE, RARE_WORD, tagOf, wordSaid } from '../data/messages.ts'
import { personId, samplePeople } from '../data/people.ts'
import { type Random, seededRandom } from '../data/random.ts'
import { compare, measure, type Target } from '../measure/load.ts'
import { makeDeskSessions } from '../programs/desk-sessions.ts'
import { SECRET, withDocket } from '../programs/programs.ts'
import { type Named, type Options, type Report, slowestAtMost, timeTable } from '../report.ts'

/** The slowest way to search messages, of a rare word. */
const OF_RARE = 5
/** A name with a typing error, of the exact one. */
const OF_EXACT = 10
/** The number of different people searched for in turn. */
const LOOKED_UP = 200

/** The first page of endpoint 5 (docs/interface/search.md#search-messages), each way in turns with a rare word. */
export async function benchSearch({ serverUrl, messages, seconds, say }: Options): Promise<Report> {
  const original = await keptDatabase(serverUrl, {
    name: `docket_bench_search_${messages}`,
    source: 'bench/data/messages.ts',
    fill: (pool) => fillTables(pool, messagesOf(messages), say),
    say,
  })
  const measures = await withCopy(original, async (databaseUrl) => {
    const headers = { authorization: `Bearer ${await issueToken(databaseUrl)}` }
    return withDocket(databaseUrl, ({ origin }) => {
      const targetOf = (asked: Asked): Target => {
        const path = `/api/v2/search/messages?${stringify({ ...asked })}`
        return { origin, method: 'GET', headers, nextPath: () => path }
      }
      const ways = Object.entries(waysToSearch(messages)).map(([name, asked]) => [name, targetOf(asked)] as const)
      return compareWith(targetOf({ query: RARE_WORD }), ways, { seconds, say })
    })
  })
  return {
    scenario: `search, ${messages.toLocaleString('en')} messages`,
    limits: [slowestAtMost('the slowest way to search, of a rare word', measures, OF_RARE)],
    table: { title: 'Ways to search, one client', ...timeTable('a rare word', measures) },
  }
}

interface Asked {
  query: string
  exactMatch?: boolean
  channelId?: string
  'userIds[]'?: string
  'types[]'?: string
  'tags[]'?: string
  'options[sortBy]'?: 'relevance'
  'options[orderBy]'?: 'asc'
}

function waysToSearch(messages: number): Record<string, Asked> {
  const ofHits = (hits: number) => wordSaid(messages, hits)
  const common = { query: 'people' }
  const byRelevance = { 'options[sortBy]': 'relevance' } as const
  return {
    'word of thousands of hits': { query: ofHits(9_000) },
    'word of tens of thousands': { query: ofHits(30_000) },
    'common word': common,
    'common word, oldest first': { ...common, 'options[orderBy]': 'asc' },
    'two common words': { query: 'the people' },
    'a common word and a rare one': { query: `the ${ofHits(9_000)}` },
    'phrase of rare words': { query: RARE_PHRASE, exactMatch: true },
    'phrase of common words': { query: 'of the', exactMatch: true },
    'phrase of a common word and a rare one': { query: `the ${ofHits(9_000)}`, exactMatch: true },
    'two characters': { query: 'go' },
    'one ideograph': { query: '丅' },
    'two ideographs': { query: '丁七' },
    'beginning of common words': { query: 'wou' },
    'in the busiest channel': { ...common, channelId: channelId(0) },
    'in a quiet channel': { ...common, channelId: channelId(990) },
    'of the busiest author': { ...common, 'userIds[]': authorId(0) },
    'of one type': { ...common, 'types[]': 'image' },
    'with a tag': { ...common, 'tags[]': tagOf(0) },
    'common word, by relevance': { ...common, ...byRelevance },
    'two common words, by relevance': { query: 'of the', ...byRelevance },
  }
}

/** People by name, as a support agent types it at the desk, each way in turns with the exact names of the same people. */
export async function benchPeople({ serverUrl, people, seconds, say }: Options): Promise<Report> {
  const columns = 'user_id, internal_id, display_name, profile_handle, created_at'
  const original = await keptDatabase(serverUrl, {
    name: `docket_bench_people_${people}`,
    source: 'bench/data/people.ts',
    fill: (pool) => fillTables(pool, [{ table: 'network_user', columns, rows: samplePeople(people) }], say),
    say,
  })
  const measures = await withCopy(original, async (databaseUrl) => {
    const [cookie = ''] = await withDatabase(databaseUrl, (database) =>
      makeDeskSessions(database, { count: 1, secret: SECRET, networkRole: 'support' }),
    )
    return withDocket(databaseUrl, ({ origin }) => {
      const targetOf = (typed: string[]): Target => {
        let turn = 0
        const nextPath = () =>
          `/api/trpc/users.find?${stringify({ input: JSON.stringify({ query: typed[turn++ % typed.length] }) })}`
        return { origin, method: 'GET', headers: { cookie }, nextPath }
      }
      const sought = choose(people)
      const ways = Object.entries(waysToType(sought, people)).map(([name, typed]) => [name, targetOf(typed)] as const)
      return compareWith(targetOf(sought.map(({ name }) => name)), ways, { seconds, say })
    })
  })
  const isMistyped = ({ name }: Named) => name.startsWith('mistyped')
  return {
    scenario: `people, ${people.toLocaleString('en')}`,
    limits: [slowestAtMost('the slowest mistyped name, of an exact one', measures.filter(isMistyped), OF_EXACT)],
    table: {
      title: 'Ways to look people up, one client',
      note: `${LOOKED_UP} different people in turn, four of five of whom have a given and a family name.`,
      ...timeTable('exact names', measures),
    },
  }
}

interface Sought {
  number: number
  name: string
  handle: string
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

function waysToType(sought: Sought[], people: number): Record<string, string[]> {
  const random = seededRandom(people)
  const names = sought.map(({ name }) => name)
  return {
    'by id': sought.map(({ number }) => personId(number)),
    'by handle': sought.map(({ handle }) => handle),
    'by the beginning of the name': names.map((name) => name.slice(0, -2)),
    'by the family name': names.map((name) => name.slice(name.indexOf(' ') + 1)),
    'mistyped: a letter left out': names.map((name) => withTypo(name, random, () => '')),
    'mistyped: a letter twice': names.map((name) => withTypo(name, random, (letter) => letter + letter)),
    'mistyped: two letters transposed': names.map((name) => transposed(name, random)),
    'mistyped: an error in each word, in another order': names.map((name) => misspelt(name, random)),
    'mistyped: a letter left out of the handle': sought.map(({ handle }) => withTypo(handle, random, () => '')),
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

async function compareWith(
  other: Target,
  ways: (readonly [name: string, target: Target])[],
  { seconds, say }: Pick<Options, 'seconds' | 'say'>,
): Promise<Named[]> {
  await measure(other, { connections: 1, seconds })
  const found: Named[] = []
  for (const [name, target] of ways) {
    say(name)
    await measure(target, { connections: 1, seconds: seconds / 3 })
    found.push({ name, compared: await compare(target, other, { connections: 1, seconds }) })
  }
  return found
}
