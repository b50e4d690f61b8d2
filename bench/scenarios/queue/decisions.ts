import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { UNDO_WINDOW_MS } from '#server/core/ctx.ts'
import { approvalOf, type HeldComment, putHeldCommentsBack, takeHeldComments } from '../../data/held-comments.ts'
import { COLD_REQUESTS } from '../../measure/cold-start.ts'
import { withCostMeter } from '../../measure/cost-meter.ts'
import { type Measured, measure, measureInTurns, median, medianOf, type Target } from '../../measure/load.ts'
import { waitUntil } from '../../measure/wait-until.ts'
import { type Program, withDocket } from '../../programs/programs.ts'
import { type Arrivals, untilQuiet, withEndpoint } from '../../programs/webhook-endpoint.ts'
import { measureDecisionFloor } from './decision-floor.ts'

export const CLIENTS = 8
export const ENDPOINT_ANSWERS_MS = 5
const ROUNDS = 3
/** Before, between and after those without and with an endpoint: a floor measured once would be of the database's best or worst minute. */
const FLOOR_ROUNDS = 3
const FLOOR_DECISIONS = 4_000
const LATENCY_REQUESTS = 300
/** Until V8 has compiled what a decision takes, and the database has read its pages. */
const WARM_UP_SECONDS = 20
/** After the undo window, until what is published then is under way. */
const UNDER_WAY_SECONDS = 1
const ORDERED_WITHIN_MS = 120_000
/** Comments per second of a round, more than any way decides. */
const SUPPLY_PER_SECOND = 1_500

/** Approvals in one community, sent in one way. */
export interface DecisionWay {
  name: string
  hasEndpoint: boolean
  /** Requests per second of the first 300 of a fresh process. */
  cold: number
  warm: Measured
  /** Warm requests per second, of the floor. */
  ofFloor: number
  /** The median time of one caller. */
  aloneMs: number
  /** From the last decision to the last delivery, if there is an endpoint. */
  deliveredMs?: number | undefined
}

export interface DecisionMeasures {
  ways: DecisionWay[]
  floor: { perSecond: number; aloneMs: number; by: 'pgbench' | 'pg' }
}

interface Callers {
  /** Of a session at the desk. */
  cookie: string
  /** Of REST. */
  token: string
}

/**
 * Decisions at the desk and over REST, each in a process of its own, without and with an endpoint, and the floor without any of them beside
 * it. Afterwards all comments are pending as before.
 */
export async function measureDecisions(
  databaseUrl: string,
  { callers, seconds, say }: { callers: Callers; seconds: number; say: (line: string) => void },
): Promise<DecisionMeasures> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  try {
    const longest = Math.max(WARM_UP_SECONDS, untilSteady(UNDO_WINDOW_MS / 1_000)) + ROUNDS * seconds
    const supplied = 4 * (COLD_REQUESTS + LATENCY_REQUESTS + Math.ceil(longest * SUPPLY_PER_SECOND))
    const supply = await takeHeldComments(pool, supplied + FLOOR_ROUNDS * FLOOR_DECISIONS + LATENCY_REQUESTS)
    const measureFloor = async (clients: number, decisions: number) => {
      say(`  one statement, ${clients} at a time`)
      const commentIds = supply.splice(0, decisions).map(({ commentId }) => commentId)
      const floor = await measureDecisionFloor({ databaseUrl, clients, commentIds })
      await withDocket(databaseUrl, () => untilOrdered(pool))
      return floor
    }
    const floors = [await measureFloor(CLIENTS, FLOOR_DECISIONS)]
    const ways: Omit<DecisionWay, 'ofFloor'>[] = []
    for (const hasEndpoint of [false, true]) {
      for (const sender of sendersOf(callers, supply)) {
        const { name } = sender
        say(`  ${name}${hasEndpoint ? ', with an endpoint' : ''}`)
        ways.push({ name, hasEndpoint, ...(await measureWay(databaseUrl, { sender, hasEndpoint, seconds })) })
      }
      floors.push(await measureFloor(CLIENTS, FLOOR_DECISIONS))
    }
    const { perSecond: alone, by } = await measureFloor(1, LATENCY_REQUESTS)
    const floor = { perSecond: median(floors.map(({ perSecond }) => perSecond)), aloneMs: 1_000 / alone, by }
    return { floor, ways: ways.map((way) => ({ ...way, ofFloor: way.warm.perSecond / floor.perSecond })) }
  } finally {
    await putHeldCommentsBack(pool)
    await pool.end()
  }
}

/** Until the sequencer has put in order what the floor wrote: before the next way is measured, and before there is an endpoint for it. */
async function untilOrdered(pool: pg.Pool): Promise<void> {
  const left = 'select where exists (select from audit_unsealed) or exists (select from event where seq is null)'
  const isOrdered = async () => (await pool.query(left)).rowCount === 0
  await waitUntil(isOrdered, {
    withinMs: ORDERED_WITHIN_MS,
    otherwise: 'The sequencer did not put all in order in time',
  })
}

/** One way to send a decision. */
interface Sender {
  name: string
  undoSeconds: number
  targetOf: (docket: Program) => Target
}

function sendersOf({ cookie, token }: Callers, supply: HeldComment[]): Sender[] {
  const next = () => {
    const comment = supply.shift()
    if (comment === undefined) throw new Error('No more comments wait: make the rounds shorter')
    return comment
  }
  return [
    {
      name: 'at the desk',
      undoSeconds: UNDO_WINDOW_MS / 1_000,
      targetOf: ({ origin }) => ({
        origin,
        method: 'POST',
        headers: { cookie, origin, 'content-type': 'application/json' },
        nextPath: () => '/api/trpc/review.decide',
        nextBody: () => JSON.stringify(approvalOf(next())),
      }),
    },
    {
      name: 'over REST',
      undoSeconds: 0,
      targetOf: ({ origin }) => ({
        origin,
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        nextPath: () => `/api/v3/comments/${next().commentId}/approve`,
      }),
    },
  ]
}

interface Way {
  sender: Sender
  hasEndpoint: boolean
  seconds: number
}

function measureWay(databaseUrl: string, { hasEndpoint, ...way }: Way) {
  return hasEndpoint
    ? withEndpoint(databaseUrl, ENDPOINT_ANSWERS_MS, (arrivals) => decide(databaseUrl, way, arrivals))
    : decide(databaseUrl, way)
}

/** Until the decisions that are delivered were made beside deliveries themselves. */
const untilSteady = (undoSeconds: number) => 2 * undoSeconds + UNDER_WAY_SECONDS

function decide(
  databaseUrl: string,
  { sender: { targetOf, undoSeconds }, seconds }: Omit<Way, 'hasEndpoint'>,
  arrivals?: Arrivals,
): Promise<Omit<DecisionWay, 'name' | 'hasEndpoint' | 'ofFloor'>> {
  return withCostMeter(databaseUrl, (meter) =>
    withDocket(databaseUrl, async (docket) => {
      const target = targetOf(docket)
      const costs = docket.pid === undefined ? undefined : { meter, pid: docket.pid }
      const { perSecond: cold } = await measure(target, { connections: CLIENTS, requests: COLD_REQUESTS })
      const warmUpSeconds = Math.max(WARM_UP_SECONDS, arrivals ? untilSteady(undoSeconds) : 0)
      await measure(target, { connections: CLIENTS, seconds: warmUpSeconds })
      const turns = { connections: CLIENTS, seconds: ROUNDS * seconds, rounds: ROUNDS }
      const [rounds = []] = await measureInTurns([{ ...target, costs }], turns)
      const endedAt = performance.now()
      // One client is measured alone: not beside what the load before it still publishes.
      const quietMs = (undoSeconds + UNDER_WAY_SECONDS) * 1_000
      await (arrivals ? untilQuiet(arrivals, quietMs) : sleep(quietMs))
      const deliveredMs = arrivals && Math.max(0, arrivals.lastAt - endedAt)
      const { p50Ms: aloneMs } = await measure(target, { connections: 1, requests: LATENCY_REQUESTS })
      return { cold, warm: medianOf(rounds), aloneMs, deliveredMs }
    }),
  )
}
