import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '#server/core/database/db-types.ts'
import { type Listener, listen } from '#server/core/database/listen.ts'
import { onWritten, publishWritten, WATCHED_TABLES } from '#server/core/database/writes.ts'
import type { Logger } from '#server/core/log.ts'

const WRITES_CHANNEL = 'docket_writes'
const FORWARD_EVERY_MS = 50

/**
 * Notifies the workers of other processes which tables this one has changed. After the commit, in a statement of its own: transactions that
 * notify commit one after the other. What a process that dies did not send is found when the worker looks by itself.
 */
export function forwardWrites(pool: Pool): void {
  const waiting = new Set<string>()
  let isForwarding = false

  async function forward(): Promise<void> {
    isForwarding = true
    while (waiting.size > 0) {
      const tables = [...waiting].join(' ')
      waiting.clear()
      await pool.query('select pg_notify($1, $2)', [WRITES_CHANNEL, tables]).catch(() => {})
      await sleep(FORWARD_EVERY_MS, undefined, { ref: false })
    }
    isForwarding = false
  }

  onWritten(pool, (tables) => {
    for (const table of tables) waiting.add(table)
    if (!isForwarding) void forward()
  })
}

/** Publishes what other processes forward as if it was written here; all tables when it begins to listen, as earlier notifications are lost. */
export function receiveWrites(pool: Pool, log: Logger): Listener {
  return listen(pool, {
    channels: [WRITES_CHANNEL],
    onNotice: (_, tables) => publishWritten(pool, tables.split(' ')),
    onConnected: () => publishWritten(pool, WATCHED_TABLES),
    log,
  })
}
