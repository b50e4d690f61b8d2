'use client'
import { useEffect, useRef, useState } from 'react'
import { toRequestError } from '#components/trpc/request-error.ts'
import { trpcClient } from '#components/trpc/trpc.ts'
import { addSample, type BacktestSample } from '#server/modules/review/backtests/samples/schema.ts'
import type {
  BacktestBatch,
  BacktestInput,
  Outcomes,
  Tested,
  TestedRule,
} from '#server/modules/review/backtests/schema.ts'

/** Judged in one request: the server's limit. */
const BATCH = 1_000
/** Of each outcome. */
export const SAMPLES = 5

/** The sums of all batches so far. */
export interface BacktestSums extends Pick<BacktestBatch, 'rules' | 'together' | 'missing'> {
  total: number
}

export interface BacktestState {
  status: 'idle' | 'running' | 'done' | 'cancelled' | 'changed' | 'failed'
  sums?: BacktestSums
  error?: unknown
}

/** Which rules are tested, in which community if they are the network's, and with how many samples of each. */
export type BacktestRun = Pick<BacktestInput, 'ruleIds' | 'communityId' | 'samples'>

/** Tests rules on what is pending in communities and on their past decisions, batch by batch, until the end, `cancel`, or the page is left. */
export function useBacktest(onEnd: (state: BacktestState) => void) {
  const [state, setState] = useState<BacktestState>({ status: 'idle' })
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])

  function end(ended: BacktestState): void {
    setState(ended)
    onEnd(ended)
  }

  async function start(runs: BacktestRun[]): Promise<void> {
    const controller = new AbortController()
    running.current = controller
    setState({ status: 'running' })
    let sums: BacktestSums | undefined
    try {
      for await (const batch of batchesOf(runs, controller.signal)) {
        sums = add(sums, batch)
        setState({ status: 'running', sums })
      }
      end({ status: 'done', ...(sums && { sums }) })
    } catch (error) {
      const failed = toRequestError(error).code === 'CONFLICT' ? 'changed' : 'failed'
      const status = controller.signal.aborted ? 'cancelled' : failed
      end({ status, ...(sums && { sums }), error })
    }
  }
  return {
    state,
    /** Of the same rules, one community after the other. */
    start: (runs: BacktestRun[]) => void start(runs),
    cancel: () => running.current?.abort(),
  }
}

async function* batchesOf(runs: BacktestRun[], signal: AbortSignal) {
  for (const run of runs) {
    let cursor: string | undefined
    do {
      const input = { ...run, limit: BATCH, ...(cursor && { cursor }) }
      const batch = await trpcClient.rules.backtest.query(input, { signal })
      yield batch
      cursor = batch.next
    } while (cursor !== undefined)
  }
}

/** All batches of a run are about the same rules, in the same order. */
function add(sums: BacktestSums | undefined, batch: BacktestBatch): BacktestSums {
  if (sums === undefined) return { ...batch, total: batch.total ?? 0 }
  return {
    total: sums.total + (batch.total ?? 0),
    missing: sums.missing + batch.missing,
    together: addTested(sums.together, batch.together),
    rules: batch.rules.map((rule, place) => addRule(sums.rules[place], rule)),
  }
}

function addRule(sums: TestedRule | undefined, rule: TestedRule): TestedRule {
  if (sums === undefined) return rule
  return {
    ...rule,
    ...addTested(sums, rule),
    failed: sums.failed + rule.failed,
    samples: withSamples(sums.samples, rule.samples),
  }
}

export const addTested = (one: Tested, other: Tested): Tested => ({
  judged: addOutcomes(one.judged, other.judged),
  caught: addOutcomes(one.caught, other.caught),
  costMs: one.costMs + other.costMs,
})

const addOutcomes = (one: Outcomes, other: Outcomes): Outcomes => ({
  rejected: one.rejected + other.rejected,
  approved: one.approved + other.approved,
  pending: one.pending + other.pending,
})

export function withSamples(before: BacktestSample[], more: BacktestSample[]): BacktestSample[] {
  const samples = [...before]
  for (const sample of more) addSample(samples, sample, SAMPLES)
  return samples
}
