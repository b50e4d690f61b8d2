import { setTimeout as sleep } from 'node:timers/promises'
import { UNDO_WINDOW_MS } from '#server/core/ctx.ts'
import { benchDatabase, withCopy } from '../data/bench-database.ts'
import { type Measured, measure, measureInTurns, medianOf, type Target } from '../measure/load.ts'
import { HERE, type Place, withPlace } from '../programs/place.ts'
import { AT_DESK, DECISIONS } from '../programs/targets.ts'
import { withEndpoint } from '../programs/webhook-endpoint.ts'
import {
  atLeast,
  atMost,
  COST_COLUMNS,
  COST_NOTE,
  costCells,
  type Limit,
  type Options,
  type Report,
} from '../report.ts'

const CLIENTS = 8
const ROUNDS = 3
const FIRST_REQUESTS = 300
const ENDPOINT_ANSWERS_MS = 5
/** After the undo window, until what is published then is under way. */
const UNDER_WAY_MS = 1_000
const WITH_OF_WITHOUT = 0.5
const WARM_OF_FIRST = 2
const ALONE_MS = 3

/** Approvals in one community, sent in one way by a process of its own. */
interface Way {
  name: string
  hasEndpoint: boolean
  /** Requests per second of the first ones of the process. */
  firstPerSecond: number
  warm: Measured
  /** The median time of one caller. */
  aloneMs: number
  /** From the last decision to the last delivery, if there is an endpoint. */
  deliveredMs?: number
}

/** Decisions at the desk and over REST, without and with a webhook endpoint. */
export async function benchDecisions(options: Options): Promise<Report> {
  const { serverUrl, held, say } = options
  const original = await benchDatabase(serverUrl, held, say)
  const ways: Way[] = []
  for (const hasEndpoint of [false, true])
    for (const [name, targetOf] of Object.entries(DECISIONS)) {
      say(`${name}${hasEndpoint ? ', with an endpoint' : ''}`)
      const measured = await withCopy(original, (url) => measureWay(url, { name, targetOf, hasEndpoint }, options))
      ways.push({ name, hasEndpoint, ...measured })
    }
  return reportOf(held, ways)
}

interface Asked {
  name: string
  targetOf: (place: Place) => Target
  hasEndpoint: boolean
}

async function measureWay(databaseUrl: string, { name, targetOf, hasEndpoint }: Asked, { seconds }: Options) {
  const undoMs = name === AT_DESK ? UNDO_WINDOW_MS : 0
  const run = (lastDelivery?: () => number) =>
    withPlace(HERE, databaseUrl, async (place) => {
      const target = targetOf(place)
      const { perSecond: firstPerSecond } = await measure(target, { connections: CLIENTS, requests: FIRST_REQUESTS })
      // Until V8 has compiled what a decision takes, and until those that are delivered were made beside deliveries themselves.
      const warmUpSeconds = Math.max(6 * seconds, lastDelivery ? (2 * undoMs + UNDER_WAY_MS) / 1_000 : 0)
      await measure(target, { connections: CLIENTS, seconds: warmUpSeconds })
      const turns = { connections: CLIENTS, seconds: ROUNDS * seconds, rounds: ROUNDS }
      const [rounds = []] = await measureInTurns([target], turns)
      const endedAt = performance.now()
      // One client is measured alone: not beside what the load before it still publishes.
      do await sleep(undoMs + UNDER_WAY_MS)
      while (lastDelivery && performance.now() - lastDelivery() < undoMs + UNDER_WAY_MS)
      const deliveredMs = lastDelivery && Math.max(0, lastDelivery() - endedAt)
      const { p50Ms: aloneMs } = await measure(target, { connections: 1, requests: FIRST_REQUESTS })
      return { firstPerSecond, warm: medianOf(rounds), aloneMs, ...(deliveredMs !== undefined && { deliveredMs }) }
    })
  if (!hasEndpoint) return run()
  let lastAt = performance.now()
  const onDelivery = async () => {
    lastAt = performance.now()
    await sleep(ENDPOINT_ANSWERS_MS)
  }
  return withEndpoint(databaseUrl, onDelivery, () => run(() => lastAt))
}

const titleOf = ({ name, hasEndpoint }: Way) => `${name}${hasEndpoint ? ', with an endpoint' : ''}`

function reportOf(held: number, ways: Way[]): Report {
  const ofWithout = ({ name, hasEndpoint, warm }: Way) => {
    const without = ways.find((other) => other.name === name && !other.hasEndpoint)
    return hasEndpoint ? warm.perSecond / (without?.warm.perSecond ?? Number.NaN) : undefined
  }
  const limitsOf = (way: Way): Limit[] => {
    const ratio = ofWithout(way)
    if (ratio !== undefined) return [atLeast(`${titleOf(way)}, of those without`, ratio, WITH_OF_WITHOUT)]
    // With an endpoint the first ones are not beside as many deliveries as the warm ones.
    const slowdown = way.warm.perSecond / way.firstPerSecond
    return [
      atMost(`${way.name}: the first ${FIRST_REQUESTS} of a process, of warm ones`, slowdown, WARM_OF_FIRST),
      atMost(`${way.name}, one client, median`, way.aloneMs, ALONE_MS, ' ms'),
    ]
  }
  return {
    scenario: `decisions, ${held.toLocaleString('en')} held`,
    limits: ways.flatMap(limitsOf),
    table: {
      title: `Decisions, ${CLIENTS} clients`,
      note:
        `Approvals in one community; the sequencer, and deliveries, work in the same process. The endpoint answers after ${ENDPOINT_ANSWERS_MS} ms. ` +
        `“Delivered” is the time from the last decision to the last delivery; at the desk ${UNDO_WINDOW_MS / 1_000} seconds of it are the undo time. ${COST_NOTE}`,
      columns: [
        ...['', 'decisions/s', 'of without', 'p50 ms', 'p95 ms', 'first/s', 'one client, ms', 'delivered, s'],
        ...COST_COLUMNS,
      ],
      rows: ways.map((way) => [
        titleOf(way),
        way.warm.perSecond.toFixed(0),
        ofWithout(way)?.toFixed(2) ?? '',
        way.warm.p50Ms.toFixed(1),
        way.warm.p95Ms.toFixed(1),
        way.firstPerSecond.toFixed(0),
        way.aloneMs.toFixed(1),
        way.deliveredMs === undefined ? '' : (way.deliveredMs / 1_000).toFixed(1),
        ...costCells(way.warm),
      ]),
    },
  }
}
