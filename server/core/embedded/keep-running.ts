import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '#server/core/log.ts'
import type { Presence } from './session.ts'

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000
/** A server that ran this long did not end for the same reason again. */
const SOUND_AFTER_MS = 60_000

interface Supervision {
  presence: Presence
  /** Finds the server that another process has started, or starts it; afterwards a presence connection exists again. */
  restart(stopping: AbortSignal): Promise<{ presence: Presence; wasStarted: boolean }>
  log: Pick<Logger, 'warn' | 'error'>
}

export interface Supervisor {
  /** Ends the presence connection; from then on the server may stop. */
  stop(): Promise<void>
}

/** Restarts the server whenever it ends by itself: at once, and with increasing delays if it ends repeatedly. */
export function keepRunning({ presence: first, restart, log }: Supervision): Supervisor {
  const stopping = new AbortController()
  let presence = first
  let waitMs = 0
  const running = run()

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const presentSince = performance.now()
      await presence.ended
      const endedAt = performance.now()
      if (endedAt - presentSince > SOUND_AFTER_MS) waitMs = 0
      while (!(stopping.signal.aborted || (await tryRestart(endedAt)))) {}
    }
  }

  async function tryRestart(endedAt: number): Promise<boolean> {
    await sleep(waitMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
    waitMs = Math.min(Math.max(FIRST_WAIT_MS, 2 * waitMs), LONGEST_WAIT_MS)
    try {
      const { presence: next, wasStarted } = await restart(stopping.signal)
      presence = next
      const forMs = Math.round(performance.now() - endedAt)
      log.warn(
        { forMs },
        `the embedded database stopped unexpectedly and was ${wasStarted ? 'started' : 'found'} again`,
      )
      return true
    } catch (err) {
      if (!stopping.signal.aborted)
        log.error({ err }, 'the embedded database stopped unexpectedly and could not be restarted; retrying')
      return false
    }
  }

  return {
    stop: async () => {
      stopping.abort()
      await presence.end()
      await running
      // If the stop came in the middle of a restart, there is another one now.
      await presence.end()
    },
  }
}
