import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Pool } from '#server/core/db.ts'
import type { Logger } from '#server/core/log.ts'

const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 5_000

export interface Hearing {
  channels: readonly string[]
  onNotice(channel: string, payload: string): void
  /** It hears, for the first time or again: what was said before is lost to it. */
  onConnected(): void
  log: Logger
}

export interface Listener {
  /** Once it hears for the first time. */
  connected: Promise<void>
  stop(): Promise<void>
}

/** Hears what is said on channels of the database, on a connection of its own that is made anew whenever it breaks. */
export function listen(pool: Pool, hearing: Hearing): Listener {
  const stopping = new AbortController()
  const connected = Promise.withResolvers<void>()
  const onConnected = () => {
    connected.resolve()
    hearing.onConnected()
  }
  const running = run(pool, { ...hearing, onConnected }, stopping.signal)
  return {
    connected: connected.promise,
    stop: () => {
      stopping.abort()
      return running
    },
  }
}

async function run(pool: Pool, hearing: Hearing, stopping: AbortSignal): Promise<void> {
  let retryMs = FIRST_RETRY_MS
  const onConnected = () => {
    retryMs = FIRST_RETRY_MS
    hearing.onConnected()
  }
  while (!stopping.aborted) {
    try {
      await hear(pool, { ...hearing, onConnected }, stopping)
    } catch (error) {
      hearing.log.warn({ err: error }, 'listening: connection failed, reconnecting')
    }
    await sleep(retryMs, undefined, { signal: stopping }).catch(() => {})
    retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS)
  }
}

/** Until the connection ends, by the server or by us. */
async function hear(pool: Pool, hearing: Hearing, stopping: AbortSignal): Promise<void> {
  const client = new pg.Client(pool.options)
  const ended = new Promise<void>((resolve) => client.once('end', resolve))
  // What goes wrong ends the connection, which is what is waited for.
  client.on('error', () => {})
  client.on('notification', ({ channel, payload }) => hearing.onNotice(channel, payload ?? ''))
  const leave = () => void client.end().catch(() => {})
  stopping.addEventListener('abort', leave, { once: true })
  try {
    await client.connect()
    for (const channel of hearing.channels) await client.query(`listen ${channel}`)
    hearing.onConnected()
    await ended
  } finally {
    stopping.removeEventListener('abort', leave)
    leave()
  }
}
