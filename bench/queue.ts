import { stringify } from 'node:querystring'
import { listReviewQueue } from '#server/modules/review/queue/list-review-queue.ts'
import { ReviewQueueQuery } from '#server/modules/review/queue/schema.ts'
import { compareWithBare, type Measurable } from './against-bare.ts'
import { benchDatabase } from './bench-database.ts'
import { type Credentials, issueCredentials } from './bench-people.ts'
import { measureDecisions } from './decisions.ts'
import { FILTER_SETS, type Filter } from './filter-sets.ts'
import { type Compared, compare, measure, type Target } from './load.ts'
import { LARGEST_COMMUNITY } from './network.ts'
import { type Program, withDocket } from './programs.ts'
import { type ComparedWay, OLDEST, reportOf, SKIP, SKIP_IN_A_YEAR } from './queue-report.ts'
import type { Report } from './results.ts'

const SMALL = 10_000
const LOAD = 32
const TOO_SLOW_FOR_LOAD_MS = 200
const DEEP_SKIP = 100_000
const A_YEAR = { startDate: '2024-07-01', endDate: '2025-06-30' }

interface Options {
  held: number
  seconds: number
  say: (line: string) => void
}

/** The review queue (docs/interface/review-queue.md) of the largest community with `held` comments, and the decisions that empty it. */
export async function benchQueue(
  serverUrl: string,
  { held, seconds, say }: Options,
): Promise<{ report: Report; databaseUrl: string }> {
  const smallUrl = await benchDatabase(serverUrl, SMALL, say)
  const databaseUrl = await benchDatabase(serverUrl, held, say)

  const credentials = await issueCredentials(databaseUrl)
  const measures = await withDocket(databaseUrl, async (docket) => {
    const plain = pageTarget(docket, credentials, {})
    const ways = await waysToAsk(docket, credentials, plain)
    say('Warming up')
    await warmUp(new Set([plain, ...ways.flatMap(({ target, reference }) => [reference, target])]), seconds)
    say(`Against the bare server, ${LOAD} connections`)
    const load = await compareWithBare(databaseUrl, plainPage(plain), {
      token: credentials.token,
      connections: LOAD,
      seconds: seconds * 5,
    })
    say(`${ways.length} ways to ask, at 1 and ${LOAD} connections`)
    const compared = await compareWays(ways, seconds)
    say(`Against ${SMALL.toLocaleString('en')} held`)
    const small = await compareWithSmall(smallUrl, plain, seconds)
    say('Decisions')
    return { load, ways: compared, small, decisions: await measureDecisions(databaseUrl, docket, credentials.token) }
  })
  return { databaseUrl, report: reportOf(held, measures) }
}

interface Way {
  name: string
  target: Target
  /** What it is compared with. */
  reference: Target
}

async function waysToAsk(docket: Program, credentials: Credentials, plain: Target): Promise<Way[]> {
  const page = (filter: Filter, skip?: number) => pageTarget(docket, credentials, filter, skip)
  const cookie = await signIn(docket, credentials)
  return [
    ...Object.entries(FILTER_SETS).map(([name, filter]) => ({ name, target: page(filter), reference: plain })),
    { name: SKIP, target: page({}, DEEP_SKIP), reference: plain },
    { name: SKIP_IN_A_YEAR, target: page(A_YEAR, DEEP_SKIP), reference: plain },
    // The API only has newest first: the other order exists at the desk only, and is compared with the desk's own.
    { name: OLDEST, target: deskTarget(docket, cookie, 'oldest'), reference: deskTarget(docket, cookie, 'newest') },
  ]
}

function pageTarget({ origin }: Program, { token }: Credentials, filter: Filter, skip = 0): Target {
  const query = stringify({ ...filter, ...(skip > 0 && { 'options[skip]': skip }) })
  const path = `/api/v3/communities/${LARGEST_COMMUNITY}/comments/review-queue?${query}`
  return { origin, method: 'GET', headers: { authorization: `Bearer ${token}` }, nextPath: () => path }
}

function deskTarget({ origin }: Program, cookie: string, order: 'newest' | 'oldest'): Target {
  const query = stringify({ input: JSON.stringify({ communityId: LARGEST_COMMUNITY, order, limit: 10 }) })
  return { origin, method: 'GET', headers: { cookie }, nextPath: () => `/api/trpc/review.queue?${query}` }
}

async function signIn({ origin }: Program, { email, password }: Credentials): Promise<string> {
  const answer = await fetch(`${origin}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  if (!answer.ok) throw new Error(`Signing in at the desk was answered ${answer.status}`)
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')
}

/** Runs until the code is compiled, and every connection has prepared each statement and chosen its plan. */
async function warmUp(targets: Iterable<Target>, seconds: number): Promise<void> {
  for (const target of targets) await measure(target, { connections: LOAD, seconds: seconds / 2 })
}

function plainPage(target: Target): Measurable {
  return {
    target,
    act: (ctx) => listReviewQueue(ctx, { communityId: LARGEST_COMMUNITY, ...ReviewQueueQuery.parse({}) }),
  }
}

async function compareWays(ways: Way[], seconds: number): Promise<ComparedWay[]> {
  const compared: ComparedWay[] = []
  for (const { name, target, reference } of ways) {
    const alone = await compare(target, reference, { connections: 1, seconds })
    const isQuick = alone.one.p50Ms < TOO_SLOW_FOR_LOAD_MS
    const together = isQuick ? await compare(target, reference, { connections: LOAD, seconds }) : undefined
    compared.push({ name, alone, together })
  }
  return compared
}

/** Both programs run during this; the idle one polls for work a few times a second. */
async function compareWithSmall(smallUrl: string, plain: Target, seconds: number): Promise<Compared> {
  const credentials = await issueCredentials(smallUrl)
  return withDocket(smallUrl, async (docket) => {
    const small = pageTarget(docket, credentials, {})
    await warmUp([small], seconds)
    return compare(plain, small, { connections: 1, seconds })
  })
}
