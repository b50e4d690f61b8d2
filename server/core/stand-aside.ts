import { setImmediate, setTimeout } from 'node:timers/promises'
import { countConnections, type PoolCounts } from '#server/core/database/count-connections.ts'

/** A turn of the process that takes longer had work of others in it. */
const IDLE_TURN_MS = 0.05
/** However busy the process is, the calculation goes on after so long. */
const LONGEST_MS = 3

/**
 * Called between the steps of a long calculation that can wait: lets other requests of the process go first. One that has arrived has its
 * turns, and while any of them waits for the database, nothing is calculated that could delay what it does with the answer.
 */
export async function standAside(pool: PoolCounts, { longestMs = LONGEST_MS } = {}): Promise<void> {
  const until = performance.now() + longestMs
  for (;;) {
    const startedAt = performance.now()
    await (isAwaited(pool) ? setTimeout(1) : setImmediate())
    const now = performance.now()
    if (now > until || (now - startedAt < IDLE_TURN_MS && !isAwaited(pool))) return
  }
}

function isAwaited(pool: PoolCounts): boolean {
  const { used, awaited } = countConnections(pool)
  return used > 0 || awaited > 0
}
