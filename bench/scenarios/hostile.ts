import { setTimeout as sleep } from 'node:timers/promises'
import { benchDatabase } from '../data/bench-database.ts'
import { issueToken } from '../data/bench-people.ts'
import { REVIEWER } from '../data/network.ts'
import { delayAt } from '../measure/delays.ts'
import { type Program, withDocket } from '../programs/programs.ts'
import { sendRaw } from '../programs/raw-request.ts'
import type { Report } from '../reports/results.ts'
import { type HostileRequest, hostileRequests } from './hostile-requests.ts'

const HELD = 10_000
const ROUNDS = 20
const PROMISED_CPU_MS = 50
const PROMISED_OTHER_MS = 50
const HOSTILE_EVERY_MS = 50

interface Options {
  seconds: number
  say: (line: string) => void
}

interface Cost extends HostileRequest {
  answered: number
  cpuMs: number
}

/** How much time one hostile request takes of the process, and how much many of them slow down other callers. */
export async function benchHostile(
  serverUrl: string,
  { seconds, say }: Options,
): Promise<{ report: Report; databaseUrl: string }> {
  const databaseUrl = await benchDatabase(serverUrl, HELD, say)
  const token = await issueToken(databaseUrl, REVIEWER)
  return withDocket(databaseUrl, async (docket) => {
    const requests = hostileRequests(token)
    const costs: Cost[] = []
    for (const request of requests) costs.push(await measure(docket, request))
    say('Somebody else, alone and beside them')
    const alone = await latencies(docket, { token, seconds })
    const beside = await besides(docket, requests, () => latencies(docket, { token, seconds: seconds * 2 }))
    return { databaseUrl, report: reportOf(costs, { alone, beside }) }
  })
}

async function measure({ origin }: Program, request: HostileRequest): Promise<Cost> {
  const { status: answered } = await sendRaw(origin, request.bytes)
  await sendRaw(origin, request.bytes)
  const reading = await cpuMsOf(origin)
  const readAgain = await cpuMsOf(origin)
  for (let round = 0; round < ROUNDS; round += 1) await sendRaw(origin, request.bytes)
  const spent = (await cpuMsOf(origin)) - readAgain - (readAgain - reading)
  return { ...request, answered, cpuMs: Math.max(0, spent) / ROUNDS }
}

async function cpuMsOf(origin: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text()
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]) * 1000
}

async function latencies(
  { origin }: Program,
  { token, seconds }: { token: string; seconds: number },
): Promise<number[]> {
  const taken: number[] = []
  const headers = { authorization: `Bearer ${token}` }
  for (const until = performance.now() + seconds * 1000; performance.now() < until; ) {
    const startedAt = performance.now()
    await (await fetch(`${origin}/api/v3/sessions`, { headers })).text()
    taken.push(performance.now() - startedAt)
    await sleep(5)
  }
  return taken.sort((one, other) => one - other)
}

async function besides<Result>(
  { origin }: Program,
  requests: HostileRequest[],
  work: () => Promise<Result>,
): Promise<Result> {
  const done = new AbortController()
  const attack = (async () => {
    for (let next = 0; !done.signal.aborted; next += 1) {
      const { bytes } = requests[next % requests.length] ?? { bytes: Buffer.alloc(0) }
      await Promise.all([sendRaw(origin, bytes).catch(() => undefined), sleep(HOSTILE_EVERY_MS)])
    }
  })()
  try {
    return await work()
  } finally {
    done.abort()
    await attack
  }
}

function reportOf(costs: Cost[], { alone, beside }: { alone: number[]; beside: number[] }): Report {
  const [worst] = costs.toSorted((one, other) => other.cpuMs - one.cpuMs)
  const wrong = costs.filter(({ status, answered }) => status !== answered)
  const p99 = delayAt(beside, 0.99)
  return {
    scenario: 'hostile requests',
    limits: [
      {
        what: `the dearest hostile request (${worst?.name}), time of the process`,
        measured: `${(worst?.cpuMs ?? Number.NaN).toFixed(1)} ms`,
        promised: `at most ${PROMISED_CPU_MS} ms`,
        isHeld: (worst?.cpuMs ?? Number.NaN) <= PROMISED_CPU_MS,
      },
      {
        what: 'hostile requests answered otherwise than they should be',
        measured: `${wrong.length}${wrong.map(({ name }) => `, ${name}`).join('')}`,
        promised: '0',
        isHeld: wrong.length === 0,
      },
      {
        what: 'another caller beside twenty of them a second, p99',
        measured: `${p99.toFixed(1)} ms`,
        promised: `at most ${PROMISED_OTHER_MS} ms`,
        isHeld: p99 <= PROMISED_OTHER_MS,
      },
    ],
    tables: [
      {
        title: 'One request',
        note: `Each is sent ${ROUNDS} times, on a connection of its own; the time is the processor's, of the whole process.`,
        columns: ['', 'kB', 'answered', 'ms of the process'],
        rows: costs.map(({ name, bytes, answered, cpuMs }) => [
          name.replaceAll('|', ''),
          `${Math.round(bytes.length / 1000)}`,
          `${answered}`,
          cpuMs.toFixed(2),
        ]),
      },
      {
        title: 'Another caller',
        note: 'Who verifies a token, again and again.',
        columns: ['', 'p50 ms', 'p95 ms', 'p99 ms'],
        rows: [
          ['alone', ...percentiles(alone)],
          ['beside twenty hostile requests a second', ...percentiles(beside)],
        ],
      },
    ],
  }
}

function percentiles(sorted: number[]): string[] {
  return [0.5, 0.95, 0.99].map((share) => delayAt(sorted, share).toFixed(2))
}
