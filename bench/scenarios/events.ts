import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '#server/testing/wait-until.ts'
import { benchDatabase, withCopy } from '../data/bench-database.ts'
import { withDatabase } from '../data/bench-people.ts'
import { makeDeskSessions } from '../programs/desk-sessions.ts'
import { HERE, type Place, withPlace } from '../programs/place.ts'
import { SECRET, startDocket } from '../programs/programs.ts'
import { Subscribers } from '../programs/subscribers.ts'
import { AT_DESK, DECISIONS, nextHeld } from '../programs/targets.ts'
import { withEndpoint } from '../programs/webhook-endpoint.ts'
import { atMost, delayRows, delaysAtMost, exactly, type Options, type Report } from '../report.ts'

const DECIDED = 200
const DECIDE_EVERY_MS = 50
const AT_ONCE = 1_000
const CLIENTS = 8
const DESKS = 20
const PROMISED_MS = { toArrive: 500, toBeReceived: 300, untilAllArrived: 10_000 }

/** Decisions by two processes on one database, delivered to an integrator's receiver and received by the desks that are open on both. */
export async function benchEvents({ serverUrl, held, say }: Options): Promise<Report> {
  const original = await benchDatabase(serverUrl, held, say)
  const arrivedAt = new Map<string, number>()
  const arrived = async (count: number) => {
    await waitUntil(`${count} deliveries arrived`, () => arrivedAt.size >= count).catch(() => say('Not all arrived'))
  }
  return withCopy(original, (databaseUrl) =>
    withEndpoint(
      databaseUrl,
      async ({ data }) => {
        for (const { commentId } of data.comments as { commentId: string }[]) arrivedAt.set(commentId, Date.now())
      },
      () =>
        withPlace(HERE, databaseUrl, async (first) => {
          const second = await startDocket(databaseUrl)
          const places = [first, { ...first, origin: second.origin }]
          const desks = new Subscribers()
          try {
            await subscribeDesks(places, desks)
            say(`${DECIDED} decisions at the desk, one each ${DECIDE_EVERY_MS} ms`)
            const dueAt = await decideAtDesk(places)
            await arrived(DECIDED)
            const spread = [...dueAt].map(([id, due]) => (arrivedAt.get(id) ?? Number.NaN) - due)

            say(`${AT_ONCE} decisions over REST by ${CLIENTS} clients at once`)
            const startedAt = performance.now()
            await decideAtOnce(places, desks)
            const decidedMs = performance.now() - startedAt
            await arrived(DECIDED + AT_ONCE)
            const arrivedMs = performance.now() - startedAt
            await waitUntil('all desks received all', () => desks.delays.length >= DESKS * AT_ONCE).catch(() =>
              say('Some desks did not receive all'),
            )
            const received = desks.delays
            return reportOf({ held, spread, arrived: arrivedAt.size, decidedMs, arrivedMs, received })
          } finally {
            desks.close()
            await second.stop()
          }
        }),
    ),
  )
}

/** Half of them on either process. */
async function subscribeDesks(places: Place[], desks: Subscribers): Promise<void> {
  for (const place of places) {
    const cookies = await withDatabase(place.databaseUrl, (database) =>
      makeDeskSessions(database, { count: DESKS / places.length, secret: SECRET }),
    )
    await desks.open(place, cookies)
  }
}

/** In turn on all processes, at a calm pace. When the undo time of each decision ends, by its comment. */
async function decideAtDesk(places: Place[]): Promise<Map<string, number>> {
  const dueAt = new Map<string, number>()
  for (let decided = 0; decided < DECIDED; decided += 1) {
    const place = places[decided % places.length]
    const target = place && DECISIONS[AT_DESK]?.(place)
    if (target === undefined) throw new Error('No process runs')
    const body = target.nextBody?.() ?? ''
    const { headers } = target
    const answer = await fetch(`${target.origin}${target.nextPath()}`, { method: 'POST', headers, body })
    if (!answer.ok) throw new Error(`A decision was answered ${answer.status}: ${await answer.text()}`)
    const { result } = (await answer.json()) as { result: { data: { undoUntil: string } } }
    dueAt.set(JSON.parse(body).subjectId, Date.parse(result.data.undoUntil))
    await sleep(DECIDE_EVERY_MS)
  }
  return dueAt
}

/** Each client decides on the next comment as soon as it has its answer, half of them on either process. */
async function decideAtOnce(places: Place[], desks: Subscribers): Promise<void> {
  let left = AT_ONCE
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    const place = places[client % places.length]
    while (place && left-- > 0) await desks.decide(place, place.reviewerToken, nextHeld(place).subjectId)
  })
  await Promise.all(clients)
}

/** Times in milliseconds. */
interface Measures {
  held: number
  /** From the end of the undo time to arrival. */
  spread: number[]
  arrived: number
  /** Of decisions at once: until the last answer, and until the last arrival. */
  decidedMs: number
  arrivedMs: number
  /** From each of these decisions to each desk. */
  received: number[]
}

function reportOf({ held, spread, arrived, decidedMs, arrivedMs, received }: Measures): Report {
  const perSecond = (ms: number) => Math.round((AT_ONCE / ms) * 1_000)
  const atOnce = `${AT_ONCE.toLocaleString('en')} decisions over REST by ${CLIENTS} clients`
  return {
    scenario: `events, ${held.toLocaleString('en')} held`,
    limits: [
      delaysAtMost('from the end of the undo time to arrival', spread, PROMISED_MS.toArrive),
      exactly('decisions that arrived', arrived, DECIDED + AT_ONCE),
      atMost(
        `from the last of ${atOnce} to the last arrival`,
        arrivedMs - decidedMs,
        PROMISED_MS.untilAllArrived,
        ' ms',
      ),
      delaysAtMost('from one of them to a desk', received, PROMISED_MS.toBeReceived),
      exactly('messages that desks received', received.length, DESKS * AT_ONCE),
    ],
    table: {
      title: 'From a decision to an endpoint and to desks',
      note:
        `Two processes, one endpoint that checks each signature, ${DESKS} desks. To the endpoint: ${DECIDED} decisions at the desk, one every ` +
        `${DECIDE_EVERY_MS} ms, from the end of their undo time. To a desk: ${atOnce}, from before the call; ${perSecond(decidedMs)} a second were ` +
        `decided and ${perSecond(arrivedMs)} arrived.`,
      columns: ['ms', 'to the endpoint', 'to a desk'],
      rows: delayRows([spread, received]),
    },
  }
}
