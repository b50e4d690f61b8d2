import { benchDatabase, withCopy } from '../data/bench-database.ts'
import { LARGEST_POST } from '../data/network.ts'
import { compare, measure, type Target } from '../measure/load.ts'
import { HERE, type Place, withPlace } from '../programs/place.ts'
import { deskPage, deskPageOfAll, type Filter, PAGES, restPage } from '../programs/targets.ts'
import {
  atMost,
  COST_COLUMNS,
  COST_NOTE,
  costCells,
  type Named,
  type Options,
  type Report,
  slowestAtMost,
  timeTable,
} from '../report.ts'

const SMALL = 10_000
const CLIENTS = 8
/** First pages, of which the size of the queue must not matter. */
const FIRST_PAGES = ['endpoint 1, 10 rows', 'desk, 10 rows']
const OF_SMALL = 2
const JUDGED_BY_CPU = 'desk, 50 rows'
const CPU_MS = 1.2
const OF_PLAIN = 3
const FAR_OF_PLAIN = 5
const OF_NEWEST = 1.5
const URGENT_OF_NEWEST = 3

/** Filters of endpoint 1 (docs/interface/review-queue.md), alone and combined, from the recent to the old end, and some that match nothing. */
const FILTERS: Record<string, Filter> = {
  'a post (1 % of all)': { postId: LARGEST_POST },
  'a small post': { postId: 'post-0-5' },
  'from a day on, old': { startDate: '2023-07-03' },
  'up to a day, before all but the oldest': { endDate: '2023-01-31' },
  'one day, recent': { startDate: '2026-06-30', endDate: '2026-06-30' },
  'one day, old': { startDate: '2023-07-03', endDate: '2023-07-03' },
  'one month': { startDate: '2025-01-01', endDate: '2025-01-31' },
  'three years': { startDate: '2023-07-01', endDate: '2026-06-30' },
  'a day of 25 hours (New York)': { startDate: '2024-11-03', endDate: '2024-11-03', timeZone: 'America/New_York' },
  'a post on one day': { postId: LARGEST_POST, startDate: '2025-01-15', endDate: '2025-01-15' },
  'a post in one year': { postId: LARGEST_POST, startDate: '2024-07-01', endDate: '2025-06-30' },
  'nothing: a day to come': { startDate: '2027-01-01', endDate: '2027-01-01' },
  'nothing: no such post': { postId: 'post-of-nobody' },
}
const FAR_END = 'skip to the far end'
/** The largest community has 65 of 100 held comments. */
const farEnd = (held: number) => Math.min(900_000, Math.floor(held * 0.58))

/** Pages of the largest community's queue: each in turns with the same page of a small queue, and ways to ask with the plain first page. */
export async function benchQueue(options: Options): Promise<Report> {
  const { serverUrl, held, say } = options
  const smallUrl = await benchDatabase(serverUrl, SMALL, say)
  const largeUrl = await benchDatabase(serverUrl, held, say)
  return withCopy(smallUrl, (smallUrl) =>
    withCopy(largeUrl, (largeUrl) =>
      withPlace(HERE, smallUrl, (small) =>
        withPlace(HERE, largeUrl, async (large) =>
          reportOf(held, {
            pages: await comparePages(large, small, options),
            ways: await compareWays(waysToAsk(large, held), options),
            orders: await compareWays(await ordersOfDesk(large), options),
          }),
        ),
      ),
    ),
  )
}

async function comparePages(large: Place, small: Place, { seconds, say }: Options): Promise<Named[]> {
  const found: Named[] = []
  for (const [name, targetOf] of Object.entries(PAGES)) {
    say(name)
    const [one, other] = [targetOf(large), targetOf(small)]
    // Until the code is compiled, and every connection has prepared each statement and chosen its plan.
    for (const target of [one, other]) await measure(target, { connections: CLIENTS, seconds: 2 * seconds })
    found.push({ name, compared: await compare(one, other, { connections: CLIENTS, seconds: 2 * seconds }) })
  }
  return found
}

type Way = [name: string, target: Target, other: Target]

function waysToAsk(place: Place, held: number): Way[] {
  const plain = restPage(place)
  return [
    ...Object.entries(FILTERS).map(([name, filter]): Way => [name, restPage(place, filter), plain]),
    [FAR_END, restPage(place, { skip: farEnd(held) }), plain],
  ]
}

/** What only the desk can ask for, compared with newest first there, with the same filter. */
async function ordersOfDesk(place: Place): Promise<Way[]> {
  const urgent = ['a post (1 % of all)', 'one day, recent', 'one month', 'nothing: a day to come']
  const filters = Object.entries(FILTERS).filter(([name]) => urgent.includes(name))
  return [
    ['oldest first', deskPage(place, { order: 'oldest' }), deskPage(place)],
    ['the second page', deskPage(place, { cursor: await secondPage(deskPage(place)) }), deskPage(place)],
    [URGENT, deskPage(place, { order: 'urgent' }), deskPage(place)],
    ...filters.map(
      ([name, filter]): Way => [
        `${URGENT}, ${name}`,
        deskPage(place, { order: 'urgent', ...filter }),
        deskPage(place, filter),
      ],
    ),
    [ALL_COMMUNITIES, deskPageOfAll(place), deskPage(place)],
  ]
}

const URGENT = 'most urgent first'
/** Not judged: it reads 301 communities. */
const ALL_COMMUNITIES = 'all communities at once'

/** As many comments have the same text, it leaves out the groups that the first page shows. */
async function secondPage({ origin, headers, nextPath }: Target): Promise<string> {
  const response = await fetch(`${origin}${nextPath()}`, { headers })
  const { result } = (await response.json()) as { result: { data: { next: string } } }
  return result.data.next
}

async function compareWays(ways: Way[], { seconds, say }: Options): Promise<Named[]> {
  const found: Named[] = []
  for (const [name, target, other] of ways) {
    say(name)
    for (const each of [target, other]) await measure(each, { connections: CLIENTS, seconds: seconds / 6 })
    found.push({ name, compared: await compare(target, other, { connections: 1, seconds }) })
  }
  return found
}

interface Measures {
  pages: Named[]
  ways: Named[]
  orders: Named[]
}

const only = (measures: Named[], has: (name: string) => boolean) => measures.filter(({ name }) => has(name))
const isFarEnd = (name: string) => name === FAR_END
const isFilter = (name: string) => !isFarEnd(name)
const isUrgent = (name: string) => name.startsWith(URGENT)
const isPlainOrder = (name: string) => !isUrgent(name) && name !== ALL_COMMUNITIES

function reportOf(held: number, { pages, ways, orders }: Measures): Report {
  const { serverMs = Number.NaN, postgresMs = Number.NaN } =
    pages.find(({ name }) => name === JUDGED_BY_CPU)?.compared.one.cost ?? {}
  const cpuMs = serverMs + postgresMs
  return {
    scenario: `queue, ${held.toLocaleString('en')} held`,
    limits: [
      ...pages
        .filter(({ name }) => FIRST_PAGES.includes(name))
        .map(({ name, compared }) =>
          atMost(`${name}, of the same page of ${SMALL.toLocaleString('en')}`, compared.p50Ratio, OF_SMALL),
        ),
      ...(Number.isNaN(cpuMs) ? [] : [atMost(`${JUDGED_BY_CPU}: CPU time of a request`, cpuMs, CPU_MS, ' ms')]),
      slowestAtMost('the slowest filter, of the plain first page', only(ways, isFilter), OF_PLAIN),
      slowestAtMost('of the plain first page', only(ways, isFarEnd), FAR_OF_PLAIN),
      slowestAtMost('oldest first or the second page, of newest first', only(orders, isPlainOrder), OF_NEWEST),
      slowestAtMost('the slowest of most urgent first, of newest first', only(orders, isUrgent), URGENT_OF_NEWEST),
    ],
    table: {
      title: `Pages, ${CLIENTS} clients`,
      note: `Each in turns with the same page of a queue of ${SMALL.toLocaleString('en')}; the ratio is that of the medians. ${COST_NOTE}`,
      columns: ['', 'requests/s', 'p50 ms', 'p99 ms', 'p50 ms of small', 'ratio', ...COST_COLUMNS],
      rows: pages.map(({ name, compared: { one, other, p50Ratio } }) => [
        name,
        one.perSecond.toFixed(0),
        one.p50Ms.toFixed(1),
        one.p99Ms.toFixed(1),
        other.p50Ms.toFixed(1),
        p50Ratio.toFixed(2),
        ...costCells(one),
      ]),
    },
    details: [
      { title: 'Ways to ask endpoint 1, one client', ...timeTable('the plain page', ways) },
      { title: 'Orders at the desk, one client', ...timeTable('newest first', orders) },
    ],
  }
}
