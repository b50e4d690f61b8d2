import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '#server/core/log.ts'
import type { Presence } from './session.ts'

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000
/** A server that ran for so long did not end for the same reason again. */
const SOUND_AFTER_MS = 60_000

interface Supervision {
  presence: Presence
  /** Finds the server that another process has started meanwhile, or starts it: then one is present again. */
  restart(stopping: AbortSignal): Promise<{ presence: Presence; wasStarted: boolean }>
  log: Pick<Logger, 'warn' | 'error'>
}

export interface Supervisor {
  /** Ends the presence; from then on the server may end. */
  stop(): Promise<void>
}

/** Starts the server again whenever it ends by itself: at once, and more slowly where it ends again and again. */
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
      while (!(stopping.signal.aborted || (await isPresentAgain(endedAt)))) {}
    }
  }

  async function isPresentAgain(endedAt: number): Promise<boolean> {
    await sleep(waitMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
    waitMs = Math.min(Math.max(FIRST_WAIT_MS, 2 * waitMs), LONGEST_WAIT_MS)
    try {
      const { presence: next, wasStarted } = await restart(stopping.signal)
      presence = next
      const forMs = Math.round(performance.now() - endedAt)
      log.warn({ forMs }, `the embedded database ended by itself and was ${wasStarted ? 'started' : 'found'} again`)
      return true
    } catch (err) {
      if (!stopping.signal.aborted)
        log.error({ err }, 'the embedded database ended by itself and could not be started again: it is tried again')
      return false
    }
  }

  return {
    stop: async () => {
      stopping.abort()
      await presence.end()
      await running
      // Where the stop came in the middle of a restart, there is another one now.
      await presence.end()
    },
  }
}
