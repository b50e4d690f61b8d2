import { stringify } from 'node:querystring'
import { createToken } from '#server/modules/accounts/access/create-credentials.ts'
import { digestOf, keptDatabase, MIGRATIONS } from '../data/bench-database.ts'
import { ctxOf, withDatabase } from '../data/bench-people.ts'
import { authorId, channelId, conversationsOf, RARE_PHRASE, RARE_WORD, tagOf, wordSaid } from '../data/conversations.ts'
import { fillTables } from '../data/generate.ts'
import { measure, type Target } from '../measure/load.ts'
import { type Program, withDocket } from '../programs/programs.ts'
import type { Report } from '../reports/results.ts'
import { reportOf, type SearchMeasures } from './search-report.ts'

const TOKEN_LIFETIME_MS = 24 * 3_600_000
const MADE_BY = ['bench/data/{conversations,random}.ts', MIGRATIONS]
const ROUNDS = 9

interface Options {
  messages: number
  seconds: number
  say: (line: string) => void
}

/** A query of endpoint 5. */
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

/** Search (docs/interface/search.md#search-messages) over `messages` messages. */
export async function benchSearch(
  serverUrl: string,
  { messages, seconds, say }: Options,
): Promise<{ report: Report; databaseUrl: string }> {
  const databaseUrl = await keptDatabase(serverUrl, {
    name: `docket_bench_search_${messages}`,
    madeBy: await digestOf(MADE_BY),
    fill: async (pool) => {
      await fillTables(pool, conversationsOf(messages), say)
    },
    say,
  })
  const token = await issueAdminToken(databaseUrl)
  return withDocket(databaseUrl, async (docket) => {
    const ways = Object.entries(waysToSearch(messages)).map(([name, asked]) => ({
      name,
      target: targetOf(docket, token, asked),
    }))
    say(`${ways.length} ways to search, in ${ROUNDS} rounds`)
    return { databaseUrl, report: reportOf(messages, await measureInTurns(ways, seconds)) }
  })
}

/** Each kind of query that is hard for a search engine in its own way. */
function waysToSearch(messages: number): Record<string, Asked> {
  const ofHits = (hits: number) => wordSaid(messages, hits)
  const common = { query: 'the' }
  const medium = { query: ofHits(9_000) }
  const byRelevance = { 'options[sortBy]': 'relevance' } as const
  return {
    'rare word': { query: RARE_WORD },
    'word of thousands of hits': medium,
    'word of tens of thousands': { query: ofHits(30_000) },
    'common word': common,
    'common word, oldest first': { ...common, 'options[orderBy]': 'asc' },
    'two common words': { query: 'the people' },
    'a common word and a rare one': { query: `the ${ofHits(9_000)}` },
    'phrase of rare words': { query: RARE_PHRASE, exactMatch: true },
    'phrase of common words': { query: 'of the', exactMatch: true },
    'phrase of three common words': { query: 'one of the', exactMatch: true },
    'phrase of a common word and a rare one': { query: `the ${ofHits(9_000)}`, exactMatch: true },
    'two characters': { query: 'go' },
    'two characters that begin many words': { query: 'th' },
    'one ideograph': { query: '丅' },
    'two ideographs': { query: '丁七' },
    'three ideographs': { query: '丁七丂' },
    'beginning of common words': { query: 'wou' },
    'beginning of rare words': { query: ofHits(9_000).slice(0, 5) },
    'in the busiest channel': { ...common, channelId: channelId(0) },
    'in a quiet channel': { ...common, channelId: channelId(990) },
    'of the busiest author': { ...common, 'userIds[]': authorId(0) },
    'of a quiet author': { ...common, 'userIds[]': authorId(4_000) },
    'of one type': { ...common, 'types[]': 'image' },
    'with a tag': { ...common, 'tags[]': tagOf(0) },
    'with a tag, a rare word': { query: RARE_WORD, 'tags[]': tagOf(0) },
    'rare word, by relevance': { query: RARE_WORD, ...byRelevance },
    'word of thousands, by relevance': { ...medium, ...byRelevance },
    'common word, by relevance': { ...common, ...byRelevance },
    'two common words, by relevance': { query: 'of the', ...byRelevance },
    'with a tag, by relevance': { ...common, 'tags[]': tagOf(0), ...byRelevance },
  }
}

function targetOf({ origin }: Program, token: string, asked: Asked): Target {
  const path = `/api/v2/search/messages?${stringify({ ...asked })}`
  return { origin, method: 'GET', headers: { authorization: `Bearer ${token}` }, nextPath: () => path }
}

/** Alternates in short turns, each query once a round, so that other load on the machine affects all. The first round warms up. */
async function measureInTurns(ways: { name: string; target: Target }[], seconds: number): Promise<SearchMeasures[]> {
  const measures: SearchMeasures[] = []
  for (const { name, target } of ways) measures.push({ name, hits: await hitsOf(target), rounds: [] })
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [place, { target }] of ways.entries()) {
      const measured = await measure(target, { connections: 1, seconds: seconds / ROUNDS })
      if (round > 0) measures[place]?.rounds.push(measured)
    }
  }
  return measures
}

async function hitsOf({ origin, headers, nextPath }: Target): Promise<string> {
  const answer = await fetch(`${origin}${nextPath()}`, { headers })
  if (!answer.ok) throw new Error(`${nextPath()} was answered ${answer.status}`)
  const { data } = (await answer.json()) as { data: { totalCount: number; totalCountIsLowerBound?: true } }
  return `${data.totalCount.toLocaleString('en')}${data.totalCountIsLowerBound ? ' and more' : ''}`
}

function issueAdminToken(databaseUrl: string): Promise<string> {
  return withDatabase(databaseUrl, async (database) => {
    const ctx = ctxOf(database, { kind: 'system', name: 'bench' })
    return (await createToken(ctx, { lifetimeMs: TOKEN_LIFETIME_MS })).accessToken
  })
}
