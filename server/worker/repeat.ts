import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '#server/core/ctx.ts'
import { isDatabaseUnavailable } from '#server/core/database/database-failures.ts'
import { inJobTrace } from '#server/core/tracing.ts'

interface Task {
  /** Its name in the log. */
  name: string
  /** Counted from the start of a batch. After a long one, it pauses for half as long as that took. */
  everyMs: number
  /** True if more is pending: the next batch follows at once. */
  runBatch(ctx: Ctx): Promise<boolean>
}

export interface RepeatedTask {
  /** Ends after the current batch. */
  stop(): Promise<void>
}

interface WakeableTask extends RepeatedTask {
  /** More is pending: the next batch follows without a pause. */
  wake(): void
}

const failedInARow = new Map<string, number>()

/** How many batches of each task of this process have failed since one succeeded. */
export function countFailedBatches(): [task: string, batches: number][] {
  return [...failedInARow]
}

/**
 * Runs the task's batches until it is stopped. A failed batch is logged and retried. A task whose rows don't depend on each other sets aside
 * the one that fails (`core/set-aside.ts`); one that keeps an order of everything, as that of the log, stops there until it succeeds.
 */
export function repeat(ctx: Ctx, { name, everyMs, runBatch }: Task): WakeableTask {
  let isStopping = false
  let isUnavailable = false
  let resting = new AbortController()
  const running = run()

  async function run(): Promise<void> {
    while (!isStopping) {
      resting = new AbortController()
      const startedAt = performance.now()
      if (await runNext()) continue
      const tookMs = performance.now() - startedAt
      await sleep(Math.max(everyMs - tookMs, tookMs / 2), undefined, { signal: resting.signal }).catch(() => {})
    }
  }

  /** True if more is pending. */
  async function runNext(): Promise<boolean> {
    try {
      const more = await inJobTrace({ name: `job ${name}` }, () => runBatch(ctx))
      isUnavailable = false
      failedInARow.set(name, 0)
      return more
    } catch (error) {
      failedInARow.set(name, (failedInARow.get(name) ?? 0) + 1)
      const wasUnavailable = isUnavailable
      isUnavailable = isDatabaseUnavailable(error)
      // Many times a second is too often while the database is unavailable.
      if (!isUnavailable) ctx.log.error({ err: error }, `${name}: batch failed, retrying`)
      else if (!wasUnavailable) ctx.log.warn({ err: error }, `${name}: waiting for the database`)
      return false
    }
  }

  return {
    wake: () => resting.abort(),
    stop: () => {
      isStopping = true
      resting.abort()
      return running
    },
  }
}
