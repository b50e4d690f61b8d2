import { availableParallelism } from 'node:os'
import autocannon from 'autocannon'

export interface Target {
  /** Scheme, host and port. */
  origin: string
  method: 'GET' | 'POST' | 'PUT'
  headers: Record<string, string>
  /** The path of the next request. */
  nextPath: () => string
  /** Its body, if it has one. */
  nextBody?: () => string
}

export interface Measured {
  perSecond: number
  p50Ms: number
  p95Ms: number
  p99Ms: number
}

const STOP_WITHIN_MS = 50

/**
 * Sends requests over a number of keep-alive connections, for a time or a number of requests. Throws on any response that isn't a success.
 */
export function measure(
  { origin, method, headers, nextPath, nextBody }: Target,
  { connections, ...until }: { connections: number } & ({ seconds: number } | { requests: number }),
): Promise<Measured> {
  const startedAt = performance.now()
  let endedAt = startedAt
  const times: number[] = []

  return new Promise((resolve, reject) => {
    const running = autocannon(
      {
        url: origin,
        headers,
        connections,
        sampleInt: STOP_WITHIN_MS,
        ...('seconds' in until ? { duration: until.seconds } : { amount: until.requests }),
        requests: [{ method, setupRequest: (request) => ({ ...request, path: nextPath(), body: nextBody?.() }) }],
      },
      (error, { non2xx, errors, timeouts }) => {
        if (error) reject(error)
        else if (non2xx + errors + timeouts > 0)
          reject(new Error(`${method} ${nextPath()}: ${non2xx} refused, ${errors} failed, ${timeouts} timed out`))
        else resolve(summaryOf(times, endedAt - startedAt))
      },
    )
    // Its own histogram has a resolution of whole milliseconds.
    running.on('response', (_client, _status, _bytes, ms: number) => {
      times.push(ms)
      endedAt = performance.now()
    })
  })
}

function summaryOf(times: number[], elapsedMs: number): Measured {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(share * sorted.length)] ?? Number.NaN
  return { perSecond: (times.length / elapsedMs) * 1_000, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) }
}

/** Two ways to do the same, and the ratio of the first to the second. */
export interface Compared {
  one: Measured
  other: Measured
  p50Ratio: number
  throughputRatio: number
}

const ROUNDS = 5

/** With several concurrent callers, each sends at least this many requests, however slow the responses are. */
const ASKED_AT_LEAST = 2

/** One turn of a comparison. Leaves no request open, so that the next turn isn't affected. */
async function measureTurn(target: Target, { connections, seconds }: { connections: number; seconds: number }) {
  const answerMs = await ask(target)
  const isSlow = (answerMs * connections * ASKED_AT_LEAST) / availableParallelism() > seconds * 1_000
  const measured = await measure(target, {
    connections,
    ...(isSlow ? { requests: ASKED_AT_LEAST * connections } : { seconds }),
  })
  await ask(target)
  return measured
}

async function ask({ origin, method, headers, nextPath, nextBody }: Target): Promise<number> {
  const startedAt = performance.now()
  const answer = await fetch(`${origin}${nextPath()}`, { method, headers, body: nextBody?.() ?? null })
  await answer.arrayBuffer()
  return performance.now() - startedAt
}

interface Comparison {
  connections: number
  seconds: number
  /** Reverts what a turn changed. */
  afterTurn?: () => Promise<void>
}

/** Alternates in short turns, so that other load on the machine affects both; returns the medians of all rounds. */
export async function compare(
  one: Target,
  other: Target,
  { connections, seconds, afterTurn }: Comparison,
): Promise<Compared> {
  const turnOf = async (target: Target) => {
    const measured = await measureTurn(target, { connections, seconds: seconds / ROUNDS })
    await afterTurn?.()
    return measured
  }
  const rounds: { one: Measured; other: Measured }[] = []
  for (let round = 0; round < ROUNDS; round += 1) rounds.push({ one: await turnOf(one), other: await turnOf(other) })

  return {
    one: medianOf(rounds.map((round) => round.one)),
    other: medianOf(rounds.map((round) => round.other)),
    p50Ratio: median(rounds.map((round) => round.one.p50Ms / round.other.p50Ms)),
    throughputRatio: median(rounds.map((round) => round.one.perSecond / round.other.perSecond)),
  }
}

function medianOf(rounds: Measured[]): Measured {
  return {
    perSecond: median(rounds.map((round) => round.perSecond)),
    p50Ms: median(rounds.map((round) => round.p50Ms)),
    p95Ms: median(rounds.map((round) => round.p95Ms)),
    p99Ms: median(rounds.map((round) => round.p99Ms)),
  }
}

export function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
