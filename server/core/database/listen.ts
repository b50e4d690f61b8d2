import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { connectTo, DatabaseClient } from '#server/core/database/database-client.ts'
import type { Pool } from '#server/core/database/db-types.ts'
import type { Logger } from '#server/core/log.ts'

/** A way that swallows what is sent is noticed by this: nothing else is sent on this connection. */
const ASKS_EVERY_MS = 10_000
const ANSWERS_WITHIN_MS = 5_000
const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 5_000

export interface Subscription {
  channels: readonly string[]
  onNotice(channel: string, payload: string): void
  /** Called when it starts to listen, for the first time or again: earlier notifications are lost. */
  onConnected(): void
  log: Logger
}

export interface Listener {
  /** Resolves when it listens for the first time. */
  connected: Promise<void>
  stop(): Promise<void>
}

/** Listens on channels of the database, on its own connection past any pooler, which is replaced whenever it breaks. */
export function listen(pool: Pool, subscription: Subscription): Listener {
  const stopping = new AbortController()
  const connected = Promise.withResolvers<void>()
  const onConnected = () => {
    connected.resolve()
    subscription.onConnected()
  }
  const running = run(pool, { ...subscription, onConnected }, stopping.signal)
  return {
    connected: connected.promise,
    stop: () => {
      stopping.abort()
      return running
    },
  }
}

/** For a connection that isn't shared: direct, if there is a pooler. */
export function directOptions({ directUrl, options }: Pool): pg.ClientConfig {
  const { connectionTimeoutMillis } = options
  return directUrl === undefined ? options : { ...connectTo(directUrl), connectionTimeoutMillis }
}

async function run(pool: Pool, subscription: Subscription, stopping: AbortSignal): Promise<void> {
  let retryMs = FIRST_RETRY_MS
  const onConnected = () => {
    retryMs = FIRST_RETRY_MS
    subscription.onConnected()
  }
  while (!stopping.aborted) {
    try {
      await listenOnce(pool, { ...subscription, onConnected }, stopping)
    } catch (error) {
      subscription.log.warn({ err: error }, 'listening: connection failed, reconnecting')
    }
    await sleep(retryMs, undefined, { signal: stopping }).catch(() => {})
    retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS)
  }
}

/** Waits until the connection ends, by the server or by us. */
async function listenOnce(pool: Pool, subscription: Subscription, stopping: AbortSignal): Promise<void> {
  const client = new DatabaseClient(directOptions(pool))
  const ended = new Promise<void>((resolve) => client.once('end', resolve))
  // Errors end the connection, which resolves the wait below.
  client.on('error', () => {})
  client.on('notification', ({ channel, payload }) => subscription.onNotice(channel, payload ?? ''))
  const leave = () => void client.end().catch(() => {})
  stopping.addEventListener('abort', leave, { once: true })
  const asking = setInterval(() => {
    // One that isn't answered ends the connection.
    client.query({ text: 'select', query_timeout: ANSWERS_WITHIN_MS }).catch(() => {})
  }, ASKS_EVERY_MS)
  try {
    await client.connect()
    for (const channel of subscription.channels) await client.query(`listen ${channel}`)
    subscription.onConnected()
    await ended
  } finally {
    clearInterval(asking)
    stopping.removeEventListener('abort', leave)
    leave()
  }
}
