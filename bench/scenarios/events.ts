import { setTimeout as sleep } from 'node:timers/promises'
import type { EndpointWithSecret } from '#server/modules/integrations/webhooks/schema.ts'
import { createReceiver, type Received } from '../../docs/examples/receiver.ts'
import { benchDatabase } from '../data/bench-database.ts'
import { issueCredentials, withDatabase } from '../data/bench-people.ts'
import { approvalOf, type HeldComment, putHeldCommentsBack, takeHeldComments } from '../data/held-comments.ts'
import { delayLimit, delayRows, sortDelays } from '../measure/delays.ts'
import { waitUntil } from '../measure/wait-until.ts'
import { makeDeskSessions } from '../programs/desk-sessions.ts'
import { Subscribers } from '../programs/live-subscribers.ts'
import { type Program, programOf, SECRET, startDocket } from '../programs/programs.ts'
import { addBenchEndpoint, removeBenchEndpoint } from '../programs/webhook-endpoint.ts'
import type { Limit, Report } from '../reports/results.ts'
import { atMost } from '../reports/section-report.ts'

const DECISIONS = 200
const DECIDE_EVERY_MS = 50
const AT_ONCE = 1_000
const CLIENTS = 8
const DESKS = 20
const PROMISED_MS = { toArrive: 500, toBeHeard: 300, untilAllArrived: 10_000 }
const SETTLES_WITHIN_MS = 60_000

interface Options {
  held: number
  say: (line: string) => void
}

/** Decisions, delivered to an integrator's receiver by two processes on one database, and heard by the desks that are open on both. */
export async function benchEvents(
  serverUrl: string,
  { held: size, say }: Options,
): Promise<{ report: Report; databaseUrl: string }> {
  const databaseUrl = await benchDatabase(serverUrl, size, say)
  const { token } = await issueCredentials(databaseUrl)
  const { cookies, held } = await withDatabase(databaseUrl, async (database) => ({
    cookies: await makeDeskSessions(database, { count: DESKS, secret: SECRET }),
    held: await takeHeldComments(database.pool, DECISIONS + 2 * AT_ONCE),
  }))
  const arrivals = new Arrivals()
  const endpoint = await arrivals.open(databaseUrl)
  const programs = await Promise.all([startDocket(databaseUrl), startDocket(databaseUrl)])
  const desks = new Subscribers()
  try {
    await Promise.all(cookies.map((cookie, index) => desks.open(programOf(programs, index), cookie)))
    await desks.until(() => desks.ready === DESKS)

    say(`${DECISIONS} decisions at the desk, one each ${DECIDE_EVERY_MS} ms`)
    const atDesk = held.slice(0, DECISIONS)
    for (const [index, item] of atDesk.entries()) {
      arrivals.expect(item.commentId, await decideAtDesk(programOf(programs, index), cookies[0] ?? '', item))
      await sleep(DECIDE_EVERY_MS)
    }
    await arrivals.until(DECISIONS).catch(() => say('Not all arrived'))
    const spread = arrivals.takeDelays()

    const burst = async (which: string, first: number): Promise<Burst> => {
      say(`${AT_ONCE} decisions over REST ${which}, by ${CLIENTS} clients at once`)
      const comments = held.slice(first, first + AT_ONCE)
      const heardBefore = desks.delays.length
      const startedAt = performance.now()
      await decideAtOnce(comments, (item, client) => desks.decide(programOf(programs, client), { ...item, token }))
      const decidedMs = performance.now() - startedAt
      await arrivals.until(first + AT_ONCE).catch(() => say('Not all arrived'))
      const arrivedMs = performance.now() - startedAt
      await desks
        .until(() => desks.delays.length === heardBefore + DESKS * AT_ONCE)
        .catch(() => say('Some desks did not hear all'))
      return { decidedMs, arrivedMs, heard: sortDelays(desks.delays.slice(heardBefore)) }
    }
    const fresh = await burst('by fresh processes', DECISIONS)
    const warm = await burst('by warm ones', DECISIONS + AT_ONCE)
    return { databaseUrl, report: reportOf({ held: size, spread, arrived: arrivals.count, fresh, warm }) }
  } finally {
    desks.close()
    await Promise.all(programs.map((program) => program.stop()))
    await arrivals.close(databaseUrl, endpoint)
    await withDatabase(databaseUrl, ({ pool }) => putHeldCommentsBack(pool))
  }
}

/** Each client decides on the next comment as soon as it has its answer. */
async function decideAtOnce(
  comments: HeldComment[],
  decide: (comment: HeldComment, client: number) => Promise<void>,
): Promise<void> {
  const waiting = [...comments]
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await decide(item, client)
    }),
  )
}

/** The time its undo window ends. */
async function decideAtDesk({ origin }: Program, cookie: string, comment: HeldComment): Promise<number> {
  const answer = await fetch(`${origin}/api/trpc/review.decide`, {
    method: 'POST',
    headers: { cookie, origin, 'content-type': 'application/json' },
    body: JSON.stringify(approvalOf(comment)),
  })
  if (!answer.ok) throw new Error(`A decision was answered ${answer.status}: ${await answer.text()}`)
  const { result } = (await answer.json()) as { result: { data: { undoUntil: string } } }
  return Date.parse(result.data.undoUntil)
}

/** What the example receiver received, and how long after the earliest possible time. */
class Arrivals {
  readonly #dueAt = new Map<string, number>()
  readonly #arrivedAt = new Map<string, number>()
  #server: ReturnType<typeof createReceiver> | undefined

  get count(): number {
    return this.#arrivedAt.size
  }

  expect(commentId: string, dueAt: number): void {
    this.#dueAt.set(commentId, dueAt)
  }

  /** The secret is known once the endpoint exists, and the endpoint's URL once the receiver listens. */
  async open(databaseUrl: string): Promise<EndpointWithSecret> {
    const added = await addBenchEndpoint(databaseUrl)
    this.#server = createReceiver(added.secret, async (received) => this.#note(received)).listen(
      added.port,
      '127.0.0.1',
    )
    return added
  }

  #note({ data }: Received): void {
    const now = Date.now()
    const comments = data.comments as { commentId: string }[]
    for (const { commentId } of comments) this.#arrivedAt.set(commentId, now)
  }

  async until(count: number): Promise<void> {
    const hasArrived = () => this.#arrivedAt.size >= count
    await waitUntil(hasArrived, { withinMs: SETTLES_WITHIN_MS, otherwise: 'The receiver was not told in time' })
  }

  takeDelays(): number[] {
    return [...this.#arrivedAt].map(([commentId, at]) => at - (this.#dueAt.get(commentId) ?? Number.NaN))
  }

  async close(databaseUrl: string, endpoint: EndpointWithSecret): Promise<void> {
    this.#server?.closeAllConnections()
    this.#server?.close()
    await removeBenchEndpoint(databaseUrl, endpoint)
  }
}

/** Decisions at once. Times in milliseconds. */
interface Burst {
  /** Until the last answer, and until the last arrival. */
  decidedMs: number
  arrivedMs: number
  /** From each decision to each desk, sorted. */
  heard: number[]
}

interface Measured {
  held: number
  /** From the end of the undo time to arrival, in milliseconds. */
  spread: number[]
  arrived: number
  fresh: Burst
  warm: Burst
}

function reportOf({ held, spread, arrived, fresh, warm }: Measured): Report {
  const arrivalDelays = sortDelays(spread)
  const expected = DECISIONS + 2 * AT_ONCE
  const perSecond = (ms: number) => Math.round((AT_ONCE / ms) * 1_000).toLocaleString('en')
  const atOnce = AT_ONCE.toLocaleString('en')
  return {
    scenario: 'events',
    limits: [
      delayLimit('from the end of the undo time to arrival', arrivalDelays, {
        promisedMs: PROMISED_MS.toArrive,
        digits: 0,
      }),
      counted('decisions that arrived', arrived, expected),
      atMost(
        `from the last of ${atOnce} decisions to the last arrival`,
        Math.max(...[fresh, warm].map(({ arrivedMs, decidedMs }) => arrivedMs - decidedMs)),
        PROMISED_MS.untilAllArrived,
        ' ms',
      ),
      ...Object.entries({ fresh, warm }).map(([which, { heard }]) =>
        delayLimit(`from one of ${atOnce} decisions to a desk, ${which} processes`, heard, {
          promisedMs: PROMISED_MS.toBeHeard,
          digits: 0,
        }),
      ),
      counted('messages that desks heard', fresh.heard.length + warm.heard.length, 2 * DESKS * AT_ONCE),
    ],
    tables: [
      {
        title: 'From the end of the undo time to arrival',
        note: `${held.toLocaleString('en')} comments held. ${DECISIONS} decisions at the desk, one every ${DECIDE_EVERY_MS} ms, in turn on two processes; one endpoint, whose receiver checks each signature.`,
        columns: ['', 'ms'],
        rows: delayRows([arrivalDelays], 0),
      },
      {
        title: `${atOnce} decisions over REST at once`,
        note: `By ${CLIENTS} clients, half on either process; no process has more than eight deliveries to one endpoint under way. Then as many again.`,
        columns: ['a second', 'fresh processes', 'warm'],
        rows: [
          ['decided', perSecond(fresh.decidedMs), perSecond(warm.decidedMs)],
          ['arrived', perSecond(fresh.arrivedMs), perSecond(warm.arrivedMs)],
        ],
      },
      {
        title: 'From one of them to a desk',
        note: `${DESKS} desks, half on either process, each with a stream of its own. Counted from before the call that decides.`,
        columns: ['ms', 'fresh processes', 'warm'],
        rows: delayRows([fresh.heard, warm.heard], 0),
      },
    ],
  }
}

function counted(what: string, count: number, expected: number): Limit {
  return {
    what,
    measured: count.toLocaleString('en'),
    promised: expected.toLocaleString('en'),
    isHeld: count === expected,
  }
}
