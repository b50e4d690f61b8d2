import type { Ctx } from '#server/core/ctx.ts'
import { isDatabaseUnavailable } from '#server/core/database/database-failures.ts'
import { inJobTrace } from '#server/core/tracing.ts'

interface Task {
  /** Its name in the log. */
  name: string
  everyMs: number
  /** True if more is pending: the next batch follows at once. */
  runBatch(ctx: Ctx): Promise<boolean>
}

export interface RepeatedTask {
  /** Ends after the current batch. */
  stop(): Promise<void>
}

/** Runs the task's batches until it is stopped. A failed batch is logged and retried. */
export function repeat(ctx: Ctx, task: Task): RepeatedTask {
  const stopping = new AbortController()
  const running = run(ctx, task, stopping.signal)
  return {
    stop: () => {
      stopping.abort()
      return running
    },
  }
}

async function run(ctx: Ctx, { name, everyMs, runBatch: runNext }: Task, stopping: AbortSignal): Promise<void> {
  let isUnavailable = false
  while (!stopping.aborted) {
    try {
      const more = await inJobTrace({ name: `job ${name}` }, () => runNext(ctx))
      isUnavailable = false
      if (more) continue
    } catch (error) {
      const wasUnavailable = isUnavailable
      isUnavailable = isDatabaseUnavailable(error)
      // Many times a second is too often while the database is unavailable.
      if (!isUnavailable) ctx.log.error({ err: error }, `${name}: batch failed, retrying`)
      else if (!wasUnavailable) ctx.log.warn({ err: error }, `${name}: waiting for the database`)
    }
    await pause(everyMs, stopping)
  }
}

function pause(ms: number, stopping: AbortSignal): Promise<void> {
  if (stopping.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    stopping.addEventListener('abort', done, { once: true })
    function done() {
      clearTimeout(timer)
      stopping.removeEventListener('abort', done)
      resolve()
    }
  })
}
