import { availableParallelism } from 'node:os'
import autocannon from 'autocannon'
import type { Cost, CostMeter } from './costs.ts'

export interface Target {
  /** Scheme, host and port. */
  origin: string
  method: 'GET' | 'POST' | 'PUT'
  headers: Record<string, string>
  /** More headers of the next request. */
  nextHeaders?: () => Record<string, string>
  /** The path of the next request. */
  nextPath: () => string
  /** Its body, if it has one. */
  nextBody?: () => string
  /** Measures what a request costs, in the server's process with this id. */
  costs?: { meter: CostMeter; pid: number } | undefined
}

export interface Measured {
  requests: number
  perSecond: number
  p50Ms: number
  p95Ms: number
  p99Ms: number
  cost?: Cost | undefined
}

const STOP_WITHIN_MS = 50

/**
 * Sends requests over a number of keep-alive connections, for a time or a number of requests. Throws on any response that isn't a success.
 */
export function measure(
  { origin, method, headers, nextHeaders, nextPath, nextBody }: Target,
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
        requests: [
          {
            method,
            setupRequest: (request) => ({
              ...request,
              headers: { ...headers, ...nextHeaders?.() },
              path: nextPath(),
              body: nextBody?.(),
            }),
          },
        ],
      },
      (error, { non2xx, errors, timeouts, statusCodeStats }) => {
        const answers = Object.entries(statusCodeStats).map(([status, { count }]) => `${count} × ${status}`)
        if (error) reject(error)
        else if (non2xx + errors + timeouts > 0)
          reject(new Error(`${method} ${nextPath()}: ${answers.join(', ')}, ${errors} failed, ${timeouts} timed out`))
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
  return {
    requests: times.length,
    perSecond: (times.length / elapsedMs) * 1_000,
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    p99Ms: at(0.99),
  }
}

const ROUNDS = 5

/** With several concurrent callers, each sends at least this many requests, however slow the responses are. */
const ASKED_AT_LEAST = 2

/** One turn of several targets. Leaves no request open, so that the next turn isn't affected. */
async function measureTurn(target: Target, { connections, seconds }: { connections: number; seconds: number }) {
  const answerMs = await ask(target)
  const isSlow = (answerMs * connections * ASKED_AT_LEAST) / availableParallelism() > seconds * 1_000
  const finish = await target.costs?.meter.start(target.costs.pid)
  const measured = await measure(target, {
    connections,
    ...(isSlow ? { requests: ASKED_AT_LEAST * connections } : { seconds }),
  })
  const cost = await finish?.(measured.requests)
  await ask(target)
  return { ...measured, cost }
}

async function ask({ origin, method, headers, nextHeaders, nextPath, nextBody }: Target): Promise<number> {
  const startedAt = performance.now()
  const answer = await fetch(`${origin}${nextPath()}`, {
    method,
    headers: { ...headers, ...nextHeaders?.() },
    body: nextBody?.() ?? null,
  })
  await answer.arrayBuffer()
  return performance.now() - startedAt
}

interface Turns {
  connections: number
  /** How long each target is measured, all its turns together. */
  seconds: number
  /** How many turns each target has. */
  rounds?: number
  /** Reverts what a turn changed. */
  afterTurn?: (() => Promise<void>) | undefined
}

/** Measures targets in short turns, so that other load on the machine affects all; returns the rounds of each, in the same order. */
export async function measureInTurns(
  targets: Target[],
  { connections, seconds, rounds = ROUNDS, afterTurn }: Turns,
): Promise<Measured[][]> {
  const measured: Measured[][] = targets.map(() => [])
  for (let round = 0; round < rounds; round += 1) {
    for (const [place, target] of targets.entries()) {
      measured[place]?.push(await measureTurn(target, { connections, seconds: seconds / rounds }))
      await afterTurn?.()
    }
  }
  return measured
}

/** Two ways to do the same, and the ratio of the first to the second. */
export interface Compared {
  one: Measured
  other: Measured
  p50Ratio: number
  throughputRatio: number
}

/** Alternates between two targets; returns the medians of all rounds. */
export async function compare(one: Target, other: Target, turns: Turns): Promise<Compared> {
  const [ones = [], others = []] = await measureInTurns([one, other], turns)
  return {
    one: medianOf(ones),
    other: medianOf(others),
    p50Ratio: ratioOf(ones, others, ({ p50Ms }) => p50Ms),
    throughputRatio: ratioOf(ones, others, ({ perSecond }) => perSecond),
  }
}

/** The median of the rounds' own ratios. */
export function ratioOf(ones: Measured[], others: Measured[], figureOf: (measured: Measured) => number): number {
  return median(ones.map((one, round) => figureOf(one) / figureOf(others[round] ?? one)))
}

/** The median of each figure. A cost that a round didn't tell is left out. */
export function medianOf(rounds: Measured[]): Measured {
  const figure = (figureOf: (measured: Measured) => number) => median(rounds.map(figureOf))
  const cost = (figureOf: (cost: Cost) => number | undefined) => {
    const figures = rounds.flatMap(({ cost }) => (cost && figureOf(cost)) ?? [])
    return figures.length === 0 ? undefined : median(figures)
  }
  return {
    requests: figure(({ requests }) => requests),
    perSecond: figure(({ perSecond }) => perSecond),
    p50Ms: figure(({ p50Ms }) => p50Ms),
    p95Ms: figure(({ p95Ms }) => p95Ms),
    p99Ms: figure(({ p99Ms }) => p99Ms),
    cost: {
      serverMs: cost(({ serverMs }) => serverMs),
      postgresMs: cost(({ postgresMs }) => postgresMs),
      statements: cost(({ statements }) => statements),
      background: cost(({ background }) => background),
    },
  }
}

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
