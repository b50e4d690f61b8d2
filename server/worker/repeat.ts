import type { Ctx } from '#server/core/ctx.ts'
import { isDatabaseUnavailable } from '#server/core/database/database-failures.ts'
import { onWritten, type WatchedTable } from '#server/core/database/writes.ts'
import { inJobTrace } from '#server/core/tracing.ts'

/** The longest a woken task waits: then it also finds what it was not woken for, such as the last write of a process that died. */
const LOOK_EVERY_MS = 15_000

export interface Task {
  /** Its name in the log. */
  name: string
  /** Counted from the start of a batch. After a long one, it pauses for half as long as that took. */
  everyMs: number
  /** The tables it reads: from then on it waits until one of them changes. */
  wokenBy?: readonly WatchedTable[]
  /** True if more is pending: the next batch follows at once. A number: that is due in so many milliseconds, whatever changes. */
  runBatch(ctx: Ctx): Promise<boolean | number>
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

export function repeatAll(ctx: Ctx, tasks: Task[]): RepeatedTask {
  return stopAll(tasks.map((task) => repeat(ctx, task)))
}

/** The tasks as one. */
export function stopAll(tasks: RepeatedTask[]): RepeatedTask {
  return { stop: async () => void (await Promise.all(tasks.map((task) => task.stop()))) }
}

/** What a batch returns where nothing is due before this time: 0 from then on, false if there is none. */
export function msUntil(ctx: Ctx, time: Date | null | undefined): number | false {
  return time ? Math.max(0, time.getTime() - ctx.now().getTime()) : false
}

/**
 * Runs the task's batches until it is stopped. A failed batch is logged and retried. A task whose rows don't depend on each other sets aside
 * the one that fails (`core/set-aside.ts`); one that keeps an order of everything, as that of the log, stops there until it succeeds.
 */
export function repeat(ctx: Ctx, { name, everyMs, wokenBy = [], runBatch }: Task): WakeableTask {
  let isStopping = false
  let isUnavailable = false
  let isChanged = false
  let resting = new AbortController()
  let waiting = new AbortController()
  const unsubscribe = onWritten(ctx.pool, (tables) => {
    if (!wokenBy.some((table) => tables.includes(table))) return
    isChanged = true
    waiting.abort()
  })
  const running = run()

  async function run(): Promise<void> {
    while (!isStopping) {
      resting = new AbortController()
      isChanged = false
      const startedAt = performance.now()
      const next = await runNext()
      if (next === true) continue
      const tookMs = performance.now() - startedAt
      const restMs = Math.max(everyMs - tookMs, tookMs / 2)
      await pause(restMs, resting.signal)
      if (wokenBy.length > 0)
        await waitForChange(Math.min(next === false ? LOOK_EVERY_MS : next, LOOK_EVERY_MS) - restMs)
    }
  }

  async function waitForChange(atMostMs: number): Promise<void> {
    waiting = new AbortController()
    if (!isChanged && atMostMs > 0) await pause(atMostMs, AbortSignal.any([waiting.signal, resting.signal]))
  }

  async function runNext(): Promise<boolean | number> {
    try {
      const next = await inJobTrace({ name: `job ${name}` }, () => runBatch(ctx))
      isUnavailable = false
      failedInARow.set(name, 0)
      return next
    } catch (error) {
      failedInARow.set(name, (failedInARow.get(name) ?? 0) + 1)
      const wasUnavailable = isUnavailable
      isUnavailable = isDatabaseUnavailable(error)
      // Many times a second is too often while the database is unavailable.
      if (!isUnavailable) ctx.log.error({ err: error }, `${name}: batch failed, retrying`)
      else if (!wasUnavailable) ctx.log.warn({ err: error }, `${name}: waiting for the database`)
      return 0
    }
  }

  return {
    wake: () => resting.abort(),
    stop: () => {
      isStopping = true
      unsubscribe()
      resting.abort()
      return running
    },
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(resolve, ms)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    signal.addEventListener('abort', end, { once: true })
  })
}
