import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { withConnections, withCopy } from '../data/bench-database.ts'
import { type Compared, compare, measure, type Target } from '../measure/load.ts'
import { type Checkout, HERE, otherCheckout, type Place, withPlace } from '../programs/place.ts'
import { AT_DESK, DECISIONS, nextHeld, PAGES, send, WRITES } from '../programs/targets.ts'
import { atLeast, atMost, type Named, type Options, type Report } from '../report.ts'

const CLIENTS = 8
const BULK = 1_000
const BULKS = `items of a bulk action of ${BULK}`
const WARM_UP_SECONDS = 10
/** Pages answer at no less than this share of the other's rate. */
const PAGES_OF_OTHER = 0.8
/** A bulk action takes at most this share of the time of as many single decisions. */
const BULK_OF_SINGLE = 0.5

/** Pages of the queue, decisions and all that people write, in turns with another checkout of Docket, each on a copy of its database. */
export async function benchAgainst(options: Options): Promise<Report> {
  const { serverUrl, held, seconds, say, against = '' } = options
  const other = await otherCheckout(against)
  const server = await other.startBenchServer(say)
  const withCopyOf = async <Result>(checkout: Checkout, url: string, work: (place: Place) => Promise<Result>) =>
    withCopy(await checkout.benchDatabase(url, held, say), (copyUrl) => withPlace(checkout, copyUrl, work))
  try {
    return await withCopyOf(HERE, serverUrl, (here) =>
      withCopyOf(other, server.url, async (there) => {
        const compareWays = async (ways: Record<string, (place: Place) => Target | Promise<Target>>) => {
          const found: Named[] = []
          for (const [name, targetOf] of Object.entries(ways)) {
            say(name)
            const targets = [await targetOf(here), await targetOf(there)] as const
            found.push({ name, compared: await compareOne(...targets, seconds) })
          }
          return found
        }
        const pages = await compareWays(PAGES)
        const writes = await compareWays({ ...DECISIONS, ...WRITES })
        say(BULKS)
        writes.push({ name: BULKS, compared: await compareBulks(here, there) })
        const sizes = await Promise.all([here, there].map(indexesOf))
        return reportOf(options, { pages, writes, sizes })
      }),
    )
  } finally {
    await server.stop()
  }
}

async function compareOne(one: Target, other: Target, seconds: number): Promise<Compared> {
  const warmUpSeconds = Math.min(WARM_UP_SECONDS, 10 * seconds)
  for (const target of [one, other]) await measure(target, { connections: CLIENTS, seconds: warmUpSeconds })
  return compare(one, other, { connections: CLIENTS, seconds: seconds * 2 })
}

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
  await send(`${place.origin}/api/trpc/bulk.start`, headers, { bulkId, outcome: 'approved', items })
  for (;;) {
    const { result } = await send(`${place.origin}/api/trpc/bulk.work`, headers, { bulkId })
    if ((result?.data as { isFinished: boolean }).isFinished) break
  }
  const perSecond = BULK / ((performance.now() - startedAt) / 1_000)
  return { requests: BULK, perSecond, p50Ms: Number.NaN, p95Ms: Number.NaN, p99Ms: Number.NaN }
}

/** Bytes of all indexes. */
function indexesOf({ databaseUrl }: Place): Promise<number> {
  return withConnections(databaseUrl, async (pool) => {
    const { rows } = await pool.query<{ bytes: string }>(
      `select sum(pg_indexes_size(oid)) as bytes from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    )
    return Number(rows[0]?.bytes ?? 0)
  })
}

/** The commit that is checked out in a folder, if Git knows. */
function commitOf(folder: string): string {
  try {
    return execFileSync('git', ['-C', folder, 'rev-parse', '--short', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return 'unknown'
  }
}

interface Measures {
  pages: Named[]
  writes: Named[]
  /** Of the indexes of both. */
  sizes: number[]
}

function reportOf({ held, against = '' }: Options, { pages, writes, sizes }: Measures): Report {
  const rateOf = (name: string) => writes.find((one) => one.name === name)?.compared.one.perSecond ?? Number.NaN
  const [here = 0, there = 0] = sizes.map((bytes) => bytes / 1_048_576)
  return {
    scenario: `against another checkout, ${held.toLocaleString('en')} held`,
    limits: [
      ...pages.map(({ name, compared }) => atLeast(name, compared.throughputRatio, PAGES_OF_OTHER)),
      atMost(`${BULKS}: its time, of as many single decisions`, rateOf(AT_DESK) / rateOf(BULKS), BULK_OF_SINGLE),
    ],
    table: {
      title: `Pages, decisions and writes, ${CLIENTS} clients`,
      note: `Here is ${commitOf('.')}, the other ${commitOf(against)}. Indexes of all tables, after all that was written: ${here.toFixed(0)} MB here, ${there.toFixed(0)} MB in the other.`,
      columns: ['', 'here, per second', 'the other', 'ratio', 'p50 here', 'p50 of the other'],
      rows: [...pages, ...writes].map(({ name, compared: { one, other, throughputRatio } }) => [
        name,
        one.perSecond.toFixed(0),
        other.perSecond.toFixed(0),
        throughputRatio.toFixed(2),
        ...[one, other].map(({ p50Ms }) => (Number.isNaN(p50Ms) ? '' : `${p50Ms.toFixed(1)} ms`)),
      ]),
    },
  }
}
