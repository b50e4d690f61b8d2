import { stringify } from 'node:querystring'
import { setTimeout as sleep } from 'node:timers/promises'
import { benchDatabase } from '../data/bench-database.ts'
import { issueCredentials, withDatabase } from '../data/bench-people.ts'
import { type HeldComment, putHeldCommentsBack, takeHeldComments } from '../data/held-comments.ts'
import { LARGEST_COMMUNITY } from '../data/network.ts'
import { memoryOf, metricOf } from '../measure/metric-of.ts'
import { makeDeskSessions } from '../programs/desk-sessions.ts'
import { Subscribers } from '../programs/live-subscribers.ts'
import { type Program, SECRET, startDocket } from '../programs/programs.ts'
import type { Report } from '../reports/results.ts'

const HELD = 10_000
const CLIENTS = 200
const CALLERS = 8
const PAUSE_MS = 100
const REST_MS = 30_000
const CONNECT_WITHIN_MS = 180_000
const LOOK_EVERY_MS = 5_000
const CPU = 'process_cpu_seconds_total'
const AT_REST_MIB = 250
const UNDER_LOAD_MIB = 400

interface Options {
  minutes: number
  say: (line: string) => void
}

/** What one process with all roles takes at rest, and with 200 live clients under a mixed load. */
export async function benchMemory(
  serverUrl: string,
  { minutes, say }: Options,
): Promise<{ report: Report; databaseUrl: string }> {
  const databaseUrl = await benchDatabase(serverUrl, HELD, say)
  const { token } = await issueCredentials(databaseUrl)
  const { cookies, held } = await withDatabase(databaseUrl, async (database) => ({
    cookies: await makeDeskSessions(database, { count: CLIENTS, secret: SECRET }),
    held: await takeHeldComments(database.pool, HELD),
  }))
  const docket = await startDocket(databaseUrl, { withPages: true })
  const subscribers = new Subscribers()
  const looks: Look[] = []
  const look = async (when: string) => {
    looks.push(await lookAt(docket, when))
    say(Object.values(looks.at(-1) ?? {}).join(' '))
  }
  try {
    await sleep(REST_MS)
    await look('at rest, 30 s after the start')
    await Promise.all(cookies.map((cookie) => subscribers.open(docket, cookie)))
    await subscribers.until(() => subscribers.ready === CLIENTS, CONNECT_WITHIN_MS)
    await look(`with ${CLIENTS} clients`)

    const cpuBefore = await metricOf(docket, CPU)
    const load = startLoad(docket, { token, cookies, held })
    let highest = 0
    for (let minute = 1; minute <= minutes; minute += 1) {
      for (let elapsed = 0; elapsed < 60_000; elapsed += LOOK_EVERY_MS) {
        await sleep(LOOK_EVERY_MS)
        highest = Math.max(highest, await memoryOf(docket))
      }
      await look(`after ${minute} min of load`)
    }
    const requests = await load.stop()
    const cpuMs = ((await metricOf(docket, CPU)) - cpuBefore) * 1_000
    subscribers.close()
    await sleep(REST_MS)
    await look('30 s after its end, without clients')
    return {
      databaseUrl,
      report: reportOf({ looks, highest, requests, cpuMs, minutes }),
    }
  } finally {
    subscribers.close()
    await docket.stop()
    await withDatabase(databaseUrl, ({ pool }) => putHeldCommentsBack(pool))
  }
}

interface Look {
  when: string
  /** All in mebibytes. */
  resident: number
  heap: number
  external: number
}

async function lookAt(docket: Program, when: string): Promise<Look> {
  const [resident, heap, external] = await Promise.all(
    ['process_resident_memory_bytes', 'nodejs_heap_size_used_bytes', 'nodejs_external_memory_bytes'].map((metric) =>
      memoryOf(docket, metric),
    ),
  )
  return { when, resident: resident ?? 0, heap: heap ?? 0, external: external ?? 0 }
}

interface Callers {
  token: string
  cookies: string[]
  held: HeldComment[]
}

/** Pages, lists of the desk and of the interface, decisions, search, downloads and mistakes, by callers who pause between two of them. */
function startLoad({ origin }: Program, { token, cookies, held }: Callers) {
  let isStopped = false
  let count = 0
  const bearer = { authorization: `Bearer ${token}` }
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
      const item = held.pop()
      const requests: [string, RequestInit][] = [
        ['/queue', { headers }],
        [byTrpc('review.queue', { communityId: LARGEST_COMMUNITY, order: 'newest', limit: 50 }), { headers }],
        [`/api/v3/communities/${LARGEST_COMMUNITY}/comments/review-queue`, { headers: bearer }],
        [`/api/v3/comments/${item?.commentId}/approve`, { method: 'POST', headers: bearer }],
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

interface Measured {
  looks: Look[]
  highest: number
  requests: number
  cpuMs: number
  minutes: number
}

function reportOf({ looks, highest, requests, cpuMs, minutes }: Measured): Report {
  const rest = looks[0]?.resident ?? Number.NaN
  return {
    scenario: `memory, ${CLIENTS} live clients`,
    limits: [
      {
        what: 'a process at rest',
        measured: `${rest.toFixed(0)} MiB`,
        promised: `below ${AT_REST_MIB} MiB`,
        isHeld: rest < AT_REST_MIB,
      },
      {
        what: `the most in ${minutes} min of mixed load`,
        measured: `${highest.toFixed(0)} MiB`,
        promised: `below ${UNDER_LOAD_MIB} MiB`,
        isHeld: highest < UNDER_LOAD_MIB,
      },
    ],
    tables: [
      {
        title: 'Memory of the process, in MiB',
        note: `One process with all roles; ${CALLERS} callers sent ${requests.toLocaleString('en')} requests: pages, lists, decisions, searches and mistakes, for ${(cpuMs / requests).toFixed(1)} ms of its processor each.`,
        columns: ['', 'resident', 'JavaScript heap', 'outside the heap'],
        rows: looks.map(({ when, ...figures }) => [when, ...Object.values(figures).map((figure) => figure.toFixed(0))]),
      },
    ],
  }
}
