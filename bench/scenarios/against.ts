import { randomUUID } from 'node:crypto'
import pg from 'pg'
import * as benchDatabases from '../data/bench-database.ts'
import * as benchPeople from '../data/bench-people.ts'
import { NotGiven } from '../data/imported-database.ts'
import { LARGEST_COMMUNITY, LARGEST_POST, REVIEWER } from '../data/network.ts'
import { type Compared, compare, measure, type Target } from '../measure/load.ts'
import * as deskSessions from '../programs/desk-sessions.ts'
import { type Checkout, otherCheckout } from '../programs/other-checkout.ts'
import { type Pages, pagesOf } from '../programs/pages.ts'
import * as programs from '../programs/programs.ts'
import type { Report } from '../reports/results.ts'
import { atLeast, atMost } from '../reports/section-report.ts'

const SCENARIO = 'against another checkout'
const HERE: Checkout = { ...benchDatabases, ...benchPeople, ...deskSessions, ...programs }
const CLIENTS = 8
const PEOPLE = 16
const DAY = { startDate: '2025-01-15', endDate: '2025-01-15' }
/** An author with many held comments. */
const BUSY_AUTHOR = 'user-50'
const HELD_OF_ONE = 7_000
const BULK = 1_000
const BULKS = `items of a bulk action of ${BULK}`
const DECISIONS = 'decisions at the desk'
const WARM_UP_SECONDS = 10
/** Pages answer at no less than this share of the other's rate. */
const PAGES_OF_OTHER = 0.8
/** A bulk action takes at most this share of the time of as many single decisions. */
const BULK_OF_SINGLE = 0.5

interface Options {
  held: number
  seconds: number
  /** The folder of the other checkout. */
  against?: string | undefined
  say: (line: string) => void
}

/** Pages of the queue, decisions and all that people write, in turns with another checkout of Docket, each on a copy of its database. */
export async function benchAgainst(
  serverUrl: string,
  { held, seconds, against, say }: Options,
): Promise<{ report: Report; databaseUrl: string }> {
  if (against === undefined) throw new NotGiven(SCENARIO, '--against must name the folder of another checkout')
  const other = await otherCheckout(against)
  const server = await other.startBenchServer(say)
  try {
    const options = { held, say }
    return await withPlace(HERE, { serverUrl, ...options }, (here) =>
      withPlace(other, { serverUrl: server.url, ...options }, async (there) => {
        const pages = await comparePages(here, there, { seconds, say })
        const writes = await compareWrites(here, there, { seconds, say })
        const sizes = await Promise.all([here, there].map(indexesOf))
        return { databaseUrl: here.originalUrl, report: reportOf(held, { pages, writes, sizes }) }
      }),
    )
  } finally {
    await server.stop()
  }
}

/** One checkout's program on a copy of its database. */
interface Place {
  /** Of the copy, and of what it was copied from. */
  databaseUrl: string
  originalUrl: string
  origin: string
  pages: Pages
  /** Of a network admin's session at the desk. */
  adminCookie: string
  /** Tokens of people who may write in the largest community, */
  tokens: string[]
  /** of the author with many held comments, and of the community's reviewer, whose comments are public. */
  busyToken: string
  reviewerToken: string
  heldIds: string[]
}

async function withPlace<Result>(
  checkout: Checkout,
  { serverUrl, held, say }: { serverUrl: string; held: number; say: (line: string) => void },
  work: (place: Place) => Promise<Result>,
): Promise<Result> {
  const original = await checkout.benchDatabase(serverUrl, held, say)
  const name = `${new URL(original).pathname.slice(1)}_against`
  const databaseUrl = original.replace(/[^/]+$/, name)
  await runSql(serverUrl, `drop database if exists ${name} with (force)`)
  await runSql(serverUrl, `create database ${name} template ${new URL(original).pathname.slice(1)}`)
  try {
    const credentials = await checkout.issueCredentials(databaseUrl)
    const [adminCookie = ''] = await checkout.withDatabase(databaseUrl, (database) =>
      checkout.makeDeskSessions(database, { count: 1, secret: programs.SECRET, networkRole: 'global-admin' }),
    )
    const people = Array.from({ length: PEOPLE }, (_, person) => `user-${person}`)
    const [busyToken = '', reviewerToken = '', ...tokens] = await Promise.all(
      [BUSY_AUTHOR, REVIEWER, ...people].map((userId) => checkout.issueToken(databaseUrl, userId)),
    )
    const heldIds = await runSql<{ id: string }>(
      databaseUrl,
      `select comment_id as id from comment where community_id = '${LARGEST_COMMUNITY}' and approval_status = 'pending' and not is_deleted
       order by comment_id limit 200000`,
    )
    return await checkout.withDocket(databaseUrl, async (docket) => {
      const pages = await pagesOf(docket, credentials)
      const ids = heldIds.map(({ id }) => id)
      return work({
        ...{
          databaseUrl,
          originalUrl: original,
          origin: docket.origin,
          pages,
          adminCookie,
          tokens,
          busyToken,
          reviewerToken,
          heldIds: ids,
        },
      })
    })
  } finally {
    await runSql(serverUrl, `drop database if exists ${name} with (force)`)
  }
}

async function runSql<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}

interface Named {
  name: string
  compared: Compared
}

interface Measuring {
  seconds: number
  say: (line: string) => void
}

const PAGES: Record<string, (pages: Pages) => Target> = {
  'endpoint 1, 10 rows': ({ rest }) => rest({ limit: 10 }),
  'endpoint 1, 50 rows': ({ rest }) => rest({ limit: 50 }),
  'endpoint 1, one day': ({ rest }) => rest(DAY),
  'endpoint 1, a post': ({ rest }) => rest({ postId: LARGEST_POST }),
  'desk, 10 rows': ({ desk }) => desk({ limit: 10 }),
  'desk, 50 rows': ({ desk }) => desk({ limit: 50 }),
  'desk, one day': ({ desk }) => desk({ ...DAY, limit: 50 }),
  'desk, oldest first': ({ desk }) => desk({ order: 'oldest', limit: 50 }),
  'desk, most urgent first': ({ desk }) => desk({ order: 'urgent', limit: 50 }),
  'desk, by author': ({ desk }) => desk({ authorId: BUSY_AUTHOR, limit: 50 }),
  'desk, by post': ({ desk }) => desk({ postId: LARGEST_POST, limit: 50 }),
}

async function comparePages(here: Place, there: Place, { seconds, say }: Measuring): Promise<Named[]> {
  const found: Named[] = []
  for (const [name, targetOf] of Object.entries(PAGES)) {
    say(name)
    found.push({ name, compared: await compareOne(targetOf(here.pages), targetOf(there.pages), seconds) })
  }
  return found
}

async function compareOne(one: Target, other: Target, seconds: number): Promise<Compared> {
  for (const target of [one, other]) await measure(target, { connections: CLIENTS, seconds: WARM_UP_SECONDS })
  return compare(one, other, { connections: CLIENTS, seconds: seconds * 2 })
}

async function compareWrites(here: Place, there: Place, { seconds, say }: Measuring): Promise<Named[]> {
  const found: Named[] = []
  const measureWays = async (name: string, targetOf: (place: Place) => Target | Promise<Target>) => {
    say(name)
    const [one, other] = [await targetOf(here), await targetOf(there)]
    found.push({ name, compared: await compareOne(one, other, seconds) })
  }
  const commentBy = (tokens: string[]) => (place: Place) => writing(place, tokens, () => ['comments', newComment()])
  await measureWays(DECISIONS, deciding)
  await measureWays('decisions over REST', approving)
  for (const place of [here, there])
    await measure(commentBy([place.busyToken])(place), { connections: CLIENTS, requests: HELD_OF_ONE })
  await measureWays(`comments by ${PEOPLE} people, held`, (place) => commentBy(place.tokens)(place))
  await measureWays(`comments by an author with ${HELD_OF_ONE} held ones`, (place) =>
    commentBy([place.busyToken])(place),
  )
  await measureWays('comments by a reviewer, public', (place) => commentBy([place.reviewerToken])(place))
  await measureWays('posts', (place) => writing(place, place.tokens, () => ['posts', newPost()]))
  await measureWays('messages into one channel', async (place) => {
    const messageFeedId = await openChannel(place)
    return writing(place, place.tokens, () => ['messages', { messageFeedId, data: { text: wordsOf() } }])
  })
  say(BULKS)
  found.push({ name: BULKS, compared: await compareBulks(here, there) })
  return found
}

const JSON_TYPE = { 'content-type': 'application/json' }
const wordsOf = () => `Nothing like ${randomUUID()} was said before`
const newComment = () => ({ referenceType: 'post', referenceId: LARGEST_POST, data: { text: wordsOf() } })
const newPost = () => ({ targetType: 'community', targetId: LARGEST_COMMUNITY, data: { text: wordsOf() } })
const VERSIONS = { comments: 3, posts: 3, messages: 5 } as const

/** What these people write, in turn. */
function writing({ origin }: Place, tokens: string[], next: () => [keyof typeof VERSIONS, object]): Target {
  let written = 0
  const [kind] = next()
  return {
    origin,
    method: 'POST',
    headers: JSON_TYPE,
    nextHeaders: () => ({ authorization: `Bearer ${tokens[written++ % tokens.length]}` }),
    nextPath: () => `/api/v${VERSIONS[kind]}/${kind}`,
    nextBody: () => JSON.stringify(next()[1]),
  }
}

async function openChannel({ origin, databaseUrl, tokens: [token] }: Place): Promise<string> {
  const channelId = randomUUID()
  const userIds = Array.from({ length: PEOPLE }, (_, person) => `user-${person}`)
  await sent(
    `${origin}/api/v3/channels`,
    { authorization: `Bearer ${token}` },
    { channelId, type: 'community', userIds },
  )
  const [found] = await runSql<{ id: string }>(
    databaseUrl,
    `select internal_id as id from channel where channel_id = '${channelId}'`,
  )
  return found?.id ?? ''
}

async function sent(
  url: string,
  headers: Record<string, string>,
  body: object,
): Promise<{ result?: { data: unknown } }> {
  const answer = await fetch(url, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${url} was answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as { result?: { data: unknown } }
}

function nextHeld({ heldIds }: Place) {
  const subjectId = heldIds.pop()
  if (subjectId === undefined) throw new Error('No more comments wait: make the rounds shorter')
  return { subjectType: 'comment', subjectId, version: 1 }
}

const deciding = (place: Place): Target => ({
  origin: place.origin,
  method: 'POST',
  headers: { cookie: place.adminCookie, origin: place.origin, ...JSON_TYPE },
  nextPath: () => '/api/trpc/review.decide',
  nextBody: () => JSON.stringify({ ...nextHeld(place), outcome: 'approved', clientKey: randomUUID() }),
})

const approving = (place: Place): Target => ({
  origin: place.origin,
  method: 'POST',
  headers: { authorization: `Bearer ${place.reviewerToken}` },
  nextPath: () => `/api/v3/comments/${nextHeld(place).subjectId}/approve`,
})

/** The items per second of one bulk action each. */
async function compareBulks(here: Place, there: Place): Promise<Compared> {
  const [one, other] = [await bulkOf(here), await bulkOf(there)]
  return { one, other, p50Ratio: Number.NaN, throughputRatio: one.perSecond / other.perSecond }
}

async function bulkOf(place: Place) {
  const headers = { cookie: place.adminCookie, origin: place.origin }
  const items = Array.from({ length: BULK }, () => nextHeld(place))
  const bulkId = randomUUID()
  const startedAt = performance.now()
  await sent(`${place.origin}/api/trpc/bulk.start`, headers, { bulkId, outcome: 'approved', items })
  for (;;) {
    const { result } = await sent(`${place.origin}/api/trpc/bulk.work`, headers, { bulkId })
    if ((result?.data as { isFinished: boolean }).isFinished) break
  }
  const perSecond = BULK / ((performance.now() - startedAt) / 1_000)
  return { requests: BULK, perSecond, p50Ms: Number.NaN, p95Ms: Number.NaN, p99Ms: Number.NaN }
}

/** Bytes of all indexes. */
async function indexesOf({ databaseUrl }: Place): Promise<number> {
  const [found] = await runSql<{ bytes: string }>(
    databaseUrl,
    `select sum(pg_indexes_size(oid)) as bytes from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  return Number(found?.bytes ?? 0)
}

interface Measures {
  pages: Named[]
  writes: Named[]
  /** Of the indexes of both. */
  sizes: number[]
}

function reportOf(held: number, { pages, writes, sizes }: Measures): Report {
  const columns = ['', 'here, per second', 'the other', 'ratio', 'p50 here', 'p50 of the other']
  const rows = (named: Named[]) =>
    named.map(({ name, compared: { one, other, throughputRatio } }) => [
      name,
      one.perSecond.toFixed(0),
      other.perSecond.toFixed(0),
      throughputRatio.toFixed(2),
      ...[one, other].map(({ p50Ms }) => (Number.isNaN(p50Ms) ? '' : `${p50Ms.toFixed(1)} ms`)),
    ])
  const rateOf = (name: string) => writes.find((one) => one.name === name)?.compared.one.perSecond ?? Number.NaN
  const bulk = rateOf(DECISIONS) / rateOf(BULKS)
  const [here = 0, there = 0] = sizes.map((bytes) => bytes / 1_048_576)
  return {
    scenario: `${SCENARIO}, ${held.toLocaleString('en')} held`,
    limits: [
      ...pages.map(({ name, compared }) => atLeast(name, compared.throughputRatio, PAGES_OF_OTHER)),
      atMost(`${BULKS}: its time, of as many single decisions`, bulk, BULK_OF_SINGLE),
    ],
    tables: [
      {
        title: `Pages, ${CLIENTS} clients`,
        note: `Indexes of all tables, after all that was written: ${here.toFixed(0)} MB here, ${there.toFixed(0)} MB in the other.`,
        columns,
        rows: rows(pages),
      },
      { title: `Decisions and writes, ${CLIENTS} clients`, columns, rows: rows(writes) },
    ],
  }
}
