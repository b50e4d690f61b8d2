import { stringify } from 'node:querystring'
import { setTimeout as sleep } from 'node:timers/promises'
import { benchDatabase, withCopy } from '../data/bench-database.ts'
import { withDatabase } from '../data/bench-people.ts'
import { LARGEST_COMMUNITY } from '../data/network.ts'
import type { Cost } from '../measure/costs.ts'
import { makeDeskSessions } from '../programs/desk-sessions.ts'
import { HERE, type Place, withPlace } from '../programs/place.ts'
import { SECRET } from '../programs/programs.ts'
import { Subscribers } from '../programs/subscribers.ts'
import { atMost, type Options, type Report } from '../report.ts'

const HELD = 10_000
const CLIENTS = 200
const CALLERS = 8
const PAUSE_MS = 100
const REST_MS = 30_000
const LOOK_EVERY_MS = 5_000
const AT_REST_MIB = 250
const UNDER_LOAD_MIB = 400

/** What one process with all roles takes at rest, and with 200 live clients under a mixed load. */
export async function benchMemory(options: Options): Promise<Report> {
  const original = await benchDatabase(options.serverUrl, HELD, options.say)
  return withCopy(original, async (databaseUrl) => {
    const cookies = await withDatabase(databaseUrl, (database) =>
      makeDeskSessions(database, { count: CLIENTS, secret: SECRET }),
    )
    return withPlace(HERE, databaseUrl, (place) => measureMemory(place, cookies, options), { withPages: true })
  })
}

async function measureMemory(place: Place, cookies: string[], { minutes, say }: Options): Promise<Report> {
  const looks: Look[] = []
  const look = async (when: string) => {
    const seen = { when, ...(await lookAt(place)) }
    looks.push(seen)
    say(`${when}: ${seen.resident.toFixed(0)} MiB`)
  }
  const clients = new Subscribers()
  try {
    const finishRest = await place.costs?.meter.start(place.costs.pid)
    await sleep(REST_MS)
    const atRest = await finishRest?.(REST_MS / 1_000)
    await look('at rest, 30 s after the start')
    await clients.open(place, cookies)
    await look(`with ${CLIENTS} clients`)

    const finishLoad = await place.costs?.meter.start(place.costs.pid)
    const load = startLoad(place, cookies)
    let highest = 0
    for (const until = performance.now() + minutes * 60_000; performance.now() < until; ) {
      await sleep(LOOK_EVERY_MS)
      highest = Math.max(highest, (await lookAt(place)).resident)
    }
    await look(`after ${minutes} min of load`)
    const requests = await load.stop()
    const ofRequest = await finishLoad?.(requests)
    clients.close()
    await sleep(REST_MS)
    await look('30 s after its end, without clients')
    return reportOf({ looks, highest, requests, atRest, ofRequest, minutes })
  } finally {
    clients.close()
  }
}

/** What the process takes of the machine, and of it, in mebibytes. */
interface Taken {
  resident: number
  heap: number
  external: number
}
type Look = Taken & { when: string }

async function lookAt({ origin }: Place): Promise<Taken> {
  const text = await (await fetch(`${origin}/metrics`)).text()
  const mebibytes = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]) / 2 ** 20
  return {
    resident: mebibytes('process_resident_memory_bytes'),
    heap: mebibytes('nodejs_heap_size_used_bytes'),
    external: mebibytes('nodejs_external_memory_bytes'),
  }
}

/** Pages, lists of the desk and of the interface, decisions, search and mistakes, by callers who pause between two of them. */
function startLoad({ origin, reviewerToken, heldIds }: Place, cookies: string[]) {
  let isStopped = false
  let count = 0
  const bearer = { authorization: `Bearer ${reviewerToken}` }
  const byTrpc = (name: string, input: object) => `/api/trpc/${name}?${stringify({ input: JSON.stringify(input) })}`
  const send = async (path: string, init: RequestInit) => {
    const answer = await fetch(`${origin}${path}`, { ...init, redirect: 'manual' })
    if (answer.status >= 500) throw new Error(`${path} was answered ${answer.status}`)
    await answer.arrayBuffer()
    count += 1
  }
  const call = async (caller: number) => {
    for (let round = caller; !isStopped; round += CALLERS) {
      const headers = { cookie: cookies[round % cookies.length] ?? '' }
      const requests: [string, RequestInit][] = [
        ['/queue', { headers }],
        [byTrpc('review.queue', { communityId: LARGEST_COMMUNITY, order: 'newest', limit: 50 }), { headers }],
        [`/api/v3/communities/${LARGEST_COMMUNITY}/comments/review-queue`, { headers: bearer }],
        [`/api/v3/comments/${heldIds.pop()}/approve`, { method: 'POST', headers: bearer }],
        [`/api/v2/search/messages?${stringify({ query: `word ${round}` })}`, { headers: bearer }],
        [byTrpc('users.find', { query: 'anna' }), { headers }],
        ['/settings', { headers }],
        [`/api/v3/comments/none-${round}/approve`, { method: 'POST', headers: bearer }],
        [byTrpc('review.queue', { communityId: 'none', order: 'newest', limit: 10_000 }), { headers }],
      ]
      for (const [path, init] of requests) {
        await send(path, init)
        await sleep(PAUSE_MS)
      }
    }
  }
  const calling = Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)))
  // Awaited at the stop.
  calling.catch(() => {})
  return {
    stop: async () => {
      isStopped = true
      await calling
      return count
    },
  }
}

interface Measures {
  looks: Look[]
  highest: number
  requests: number
  /** Of a second. */
  atRest: Cost | undefined
  ofRequest: Cost | undefined
  minutes: number
}

function reportOf({ looks, highest, requests, atRest, ofRequest, minutes }: Measures): Report {
  const idle = (figure = Number.NaN) => figure.toFixed(1)
  return {
    scenario: `memory, ${CLIENTS} live clients`,
    limits: [
      atMost('a process at rest', looks[0]?.resident ?? Number.NaN, AT_REST_MIB, ' MiB'),
      atMost(`the most in ${minutes} min of mixed load`, highest, UNDER_LOAD_MIB, ' MiB'),
    ],
    table: {
      title: 'Memory of the process, in MiB',
      note:
        `One process with all roles. In a second at rest it takes ${idle(atRest?.serverMs)} ms of a processor, PostgreSQL ` +
        `${idle(atRest?.postgresMs)} ms for ${idle((atRest?.statements ?? Number.NaN) + (atRest?.background ?? Number.NaN))} statements. Then ` +
        `${CALLERS} callers sent ${requests.toLocaleString('en')} requests: pages, lists, decisions, searches and mistakes, for ` +
        `${idle(ofRequest?.serverMs)} ms of its processor each.`,
      columns: ['', 'resident', 'JavaScript heap', 'outside the heap'],
      rows: looks.map(({ when, ...taken }) => [when, ...Object.values(taken).map((figure) => figure.toFixed(0))]),
    },
  }
}
