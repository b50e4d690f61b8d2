import type { Ctx } from '#server/core/ctx.ts'
import { isDatabaseAway } from '#server/core/db.ts'

interface Work {
  name: string
  pauseMs: number
  /** True where more waits than one round does. */
  round: () => Promise<boolean>
}

export interface Repeated {
  /** Ends after the round that runs. */
  stop(): Promise<void>
}

/** Does rounds until it is stopped, with a pause where nothing more waits. One that fails is tried again. */
export function repeat(ctx: Ctx, work: Work): Repeated {
  const stopping = new AbortController()
  const running = run(ctx, work, stopping.signal)
  return {
    stop: () => {
      stopping.abort()
      return running
    },
  }
}

async function run(ctx: Ctx, { name, pauseMs, round }: Work, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    try {
      if (await round()) continue
    } catch (error) {
      ctx.log[isDatabaseAway(error) ? 'warn' : 'error']({ err: error }, `${name}: this round failed and is tried again`)
    }
    await pause(pauseMs, stopping)
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
