'use client'
import { useEffect, useRef, useState } from 'react'
import { toRequestError } from '#components/trpc/request-error.ts'
import { trpcClient } from '#components/trpc/trpc.ts'
import type { BacktestBatch, BacktestSample } from '#server/modules/review/backtests/schema.ts'

/** Judged in one request: the server's limit. */
const BATCH = 500
/** Of each outcome. */
const SAMPLES = 5

/** The sums of all batches so far. */
export interface BacktestSums
  extends Pick<BacktestBatch, 'judged' | 'missing' | 'caught' | 'samples' | 'failed' | 'costMs'> {
  total: number
}

export interface BacktestState {
  status: 'idle' | 'running' | 'done' | 'cancelled' | 'changed' | 'failed'
  sums?: BacktestSums
  error?: unknown
}

/** Tests a rule on a community's past decisions, batch by batch, until the end, `cancel`, or the page is left. */
export function useBacktest(ruleId: string, onEnd: (state: BacktestState) => void) {
  const [state, setState] = useState<BacktestState>({ status: 'idle' })
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])

  function end(ended: BacktestState): void {
    setState(ended)
    onEnd(ended)
  }

  async function start(communityId: string | undefined): Promise<void> {
    const controller = new AbortController()
    running.current = controller
    setState({ status: 'running' })
    let sums: BacktestSums | undefined
    try {
      for await (const batch of batchesOf({ ruleId, ...(communityId && { communityId }) }, controller.signal)) {
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
    start: (communityId: string | undefined) => void start(communityId),
    cancel: () => running.current?.abort(),
  }
}

async function* batchesOf(input: { ruleId: string; communityId?: string }, signal: AbortSignal) {
  let cursor: string | undefined
  do {
    const batch = await trpcClient.rules.backtest.query(
      { ...input, limit: BATCH, ...(cursor && { cursor }) },
      { signal },
    )
    yield batch
    cursor = batch.next
  } while (cursor !== undefined)
}

function add(sums: BacktestSums | undefined, batch: BacktestBatch): BacktestSums {
  const { judged, caught } = batch
  if (sums === undefined) return { ...batch, total: batch.total ?? 0 }
  return {
    total: sums.total,
    judged: { rejected: sums.judged.rejected + judged.rejected, approved: sums.judged.approved + judged.approved },
    caught: { rejected: sums.caught.rejected + caught.rejected, approved: sums.caught.approved + caught.approved },
    missing: sums.missing + batch.missing,
    failed: sums.failed + batch.failed,
    costMs: sums.costMs + batch.costMs,
    samples: firstOf([...sums.samples, ...batch.samples]),
  }
}

function firstOf(samples: BacktestSample[]): BacktestSample[] {
  return (['rejected', 'approved'] as const).flatMap((outcome) =>
    samples.filter((sample) => sample.outcome === outcome).slice(0, SAMPLES),
  )
}
