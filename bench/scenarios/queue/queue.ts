import pg from 'pg'
import { toCursor } from '#server/core/paging.ts'
import { listReviewQueue } from '#server/modules/review/queue/list-review-queue.ts'
import { ReviewQueueQuery } from '#server/modules/review/queue/schema.ts'
import { benchDatabase } from '../../data/bench-database.ts'
import { issueCredentials, withDatabase } from '../../data/bench-people.ts'
import { LARGEST_COMMUNITY, REVIEWER } from '../../data/network.ts'
import { deskQueueFloor } from '../../floors/desk-queue.ts'
import { reviewQueueFloor } from '../../floors/review-queue.ts'
import { type ColdStart, measureColdStart } from '../../measure/cold-start.ts'
import { withCostMeter } from '../../measure/cost-meter.ts'
import { type Compared, compare, measure, type Target } from '../../measure/load.ts'
import { makeDeskSessions } from '../../programs/desk-sessions.ts'
import { type Pages, pagesOf } from '../../programs/pages.ts'
import { SECRET, withDocket } from '../../programs/programs.ts'
import type { Report } from '../../reports/results.ts'
import { measureSection, type Section, type SectionRequest } from '../../reports/section.ts'
import { measureDecisions } from './decisions.ts'
import { FILTER_SETS, URGENT_SETS } from './filter-sets.ts'
import {
  AFTER_GROUPS,
  type ComparedWay,
  DEEPEST,
  OF_ALL,
  OLDEST,
  reportOf,
  SKIP,
  SKIP_IN_A_YEAR,
  URGENT_DEEP,
} from './queue-report.ts'

const SMALL = 10_000
const LOAD = 32
/** As many as moderators of one community. */
const FEW = 8
const TOO_SLOW_FOR_LOAD_MS = 200
const DEEP_SKIP = 100_000
const DEEPEST_SKIP = 900_000
/** A community with fewer held comments is read up to this share of them. */
const DEEPEST_SHARE = 0.9
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
  const deepest = await deepestSkip(databaseUrl)
  const deepCursor = await cursorAt(databaseUrl, deepest)
  const [adminCookie = ''] = await withDatabase(databaseUrl, (database) =>
    makeDeskSessions(database, { count: 1, secret: SECRET, networkRole: 'global-admin' }),
  )

  const { plain, desk, ...read } = await withCostMeter(databaseUrl, (meter) =>
    withDocket(databaseUrl, async (docket) => {
      const pages = await pagesOf(docket, credentials, meter)
      const nextCursor = await cursorAfter(pages.desk())
      const ways = waysToAsk(pages, { deepest, deepCursor, nextCursor, adminCookie })
      say('Warming up')
      await warmUp(new Set(ways.flatMap(({ target, reference }) => [reference, target])), seconds)
      const sections = await measurePages({ databaseUrl, pages, token: credentials.token, seconds, say })
      say(`${ways.length} ways to ask, at 1 and ${LOAD} connections`)
      const compared = await compareWays(ways, seconds)
      say(`Against ${SMALL.toLocaleString('en')} held`)
      const small = await compareWithSmall(smallUrl, pages.rest(), seconds)
      return { plain: pages.rest(), desk: pages.desk(), sections, ways: compared, small }
    }),
  )
  say('Fresh processes')
  const coldStarts: ColdStart[] = []
  for (const [name, target] of Object.entries({ 'endpoint 1, 10 rows': plain, 'desk, 10 rows': desk }))
    coldStarts.push(await measureColdStart(databaseUrl, { name, target, seconds }))
  say('Decisions')
  const callers = { cookie: desk.headers.cookie ?? '', token: credentials.token }
  const decisions = await measureDecisions(databaseUrl, { callers, seconds, say })
  return { databaseUrl, report: reportOf(held, { ...read, deepest, coldStarts, decisions }) }
}

/** How many rows the deepest page skips. */
async function deepestSkip(databaseUrl: string): Promise<number> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    const found = await client.query<{ held: number }>(
      `select count(*)::int as held from comment where community_id = $1 and approval_status = 'pending' and not is_deleted`,
      [LARGEST_COMMUNITY],
    )
    return Math.min(DEEPEST_SKIP, Math.floor((found.rows[0]?.held ?? 0) * DEEPEST_SHARE))
  } finally {
    await client.end()
  }
}

/** The cursor of the desk's page that follows so many, the most urgent first. */
async function cursorAt(databaseUrl: string, skipped: number): Promise<string> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    const found = await client.query<{ heldAt: Date; subjectId: string; urgentAt: Date }>(
      `select placed_at as "heldAt", subject_id as "subjectId", urgent_at at time zone 'UTC' as "urgentAt" from review_item
       where kind = 'held' and community_id = $1 and subject_type = 'comment' and state = 'waiting'
       order by urgent_at, subject_id limit 1 offset $2`,
      [LARGEST_COMMUNITY, skipped],
    )
    return toCursor({ subjectType: 'comment', ...found.rows[0] })
  } finally {
    await client.end()
  }
}

/** The cursor of the desk's second page. As many comments have the same text, it leaves out the groups that the first page shows. */
async function cursorAfter({ origin, headers, nextPath }: Target): Promise<string> {
  const response = await fetch(`${origin}${nextPath()}`, { headers })
  const { result } = (await response.json()) as { result: { data: { next: string } } }
  return result.data.next
}

interface PagesMeasure {
  databaseUrl: string
  pages: Pages
  token: string
  seconds: number
  say: (line: string) => void
}

async function measurePages({ databaseUrl, pages, token, seconds, say }: PagesMeasure): Promise<Section[]> {
  const sections: Section[] = []
  for (const request of pageRequests(pages)) {
    say(`${request.name}, ${request.connections} connections`)
    sections.push(await measureSection(request, { databaseUrl, token, seconds: seconds * 2 }))
  }
  return sections
}

function pageRequests(pages: Pages): SectionRequest[] {
  const desk = (limit: number, connections: number): SectionRequest => ({
    name: `desk, ${limit} rows`,
    connections,
    target: pages.desk({ limit }),
    floor: deskQueueFloor(LARGEST_COMMUNITY, limit),
  })
  const rest = (limit: number, connections: number): SectionRequest => ({
    name: `endpoint 1, ${limit} rows`,
    connections,
    target: pages.rest({ limit }),
    floor: reviewQueueFloor(LARGEST_COMMUNITY, REVIEWER, limit),
    act: (ctx) =>
      listReviewQueue(ctx, {
        communityId: LARGEST_COMMUNITY,
        ...ReviewQueueQuery.parse({ options: { limit: `${limit}` } }),
      }),
  })
  return [desk(10, LOAD), desk(50, LOAD), desk(50, FEW), rest(10, LOAD), rest(50, FEW)]
}

interface Way {
  name: string
  target: Target
  /** What it is compared with. */
  reference: Target
}

interface Asked {
  deepest: number
  deepCursor: string
  nextCursor: string
  adminCookie: string
}

function waysToAsk({ rest, desk, deskOfAll }: Pages, { deepest, deepCursor, nextCursor, adminCookie }: Asked): Way[] {
  const plain = rest()
  return [
    ...Object.entries(FILTER_SETS).map(([name, filter]) => ({ name, target: rest(filter), reference: plain })),
    { name: SKIP, target: rest({ skip: DEEP_SKIP }), reference: plain },
    { name: SKIP_IN_A_YEAR, target: rest({ ...A_YEAR, skip: DEEP_SKIP }), reference: plain },
    { name: DEEPEST, target: rest({ skip: deepest }), reference: plain },
    // The API only has newest first: the other order exists at the desk only, and is compared with the desk's own.
    { name: OLDEST, target: desk({ order: 'oldest' }), reference: desk() },
    { name: AFTER_GROUPS, target: desk({ cursor: nextCursor }), reference: desk() },
    { name: OF_ALL, target: deskOfAll(adminCookie), reference: desk() },
    ...Object.entries(URGENT_SETS).map(([name, filter]) => ({
      name,
      target: desk({ order: 'urgent', ...filter }),
      reference: desk(filter),
    })),
    { name: URGENT_DEEP, target: desk({ order: 'urgent', cursor: deepCursor }), reference: desk() },
  ].map((way) => ({ ...way, target: { ...way.target, costs: undefined } }))
}

/** Runs until the code is compiled, and every connection has prepared each statement and chosen its plan. */
async function warmUp(targets: Iterable<Target>, seconds: number): Promise<void> {
  for (const target of targets) await measure(target, { connections: LOAD, seconds: seconds / 6 })
}

/** There are many: each is measured for a third of the time of the others, and for a sixth where it isn't judged. */
async function compareWays(ways: Way[], seconds: number): Promise<ComparedWay[]> {
  const compared: ComparedWay[] = []
  for (const { name, target, reference } of ways) {
    const alone = await compare(target, reference, { connections: 1, seconds: seconds / 3 })
    const isQuick = alone.one.p50Ms < TOO_SLOW_FOR_LOAD_MS
    const together = isQuick ? await compare(target, reference, { connections: LOAD, seconds: seconds / 6 }) : undefined
    compared.push({ name, alone, together })
  }
  return compared
}

/** Both programs run during this; the idle one polls for work a few times a second. */
async function compareWithSmall(smallUrl: string, plain: Target, seconds: number): Promise<Compared> {
  const credentials = await issueCredentials(smallUrl)
  return withDocket(smallUrl, async (docket) => {
    const small = (await pagesOf(docket, credentials)).rest()
    await warmUp([small], seconds)
    return compare(plain, small, { connections: 1, seconds })
  })
}
