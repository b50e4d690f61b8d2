import type { LiveMessage } from '#server/modules/live/schema.ts'
import type { Connection } from './connection.ts'
import { createLeaseBook, type LeaseBook } from './lease-book.ts'
import { createRecent } from './recent.ts'
import { shareStream } from './share-stream.ts'

export interface LiveState {
  connection: Connection
  /** When the state began. */
  since: number
}

type MessageListener = (message: LiveMessage) => void

/** The desk's live events for one tab; the tabs of a browser share one stream. */
export interface Live {
  leases: LeaseBook
  /** Runs until the returned function is called. `position` is the stream position at which the page's data was read. */
  start(options: { userId: string; position: number | undefined; onEnd: () => void }): () => void
  subscribe(listener: () => void): () => void
  getState(): LiveState
  /** Each message once and in order. */
  onMessage(listener: MessageListener): () => void
  /** Resolves when another attempt to reach the server makes sense. */
  whenBack(): Promise<void>
}

const CONNECTING: LiveState = { connection: 'connecting', since: 0 }
/** When to try again after the stream broke: the server may still be reachable. */
const TRY_AGAIN_AFTER_MS = 5_000

export function createLive(): Live {
  const listeners = new Set<() => void>()
  const messageListeners = new Set<MessageListener>()
  const leases = createLeaseBook()
  const recent = createRecent()
  let state = CONNECTING
  let stream: Connection = 'connecting'

  function show(): void {
    const connection = navigator.onLine ? stream : 'offline'
    if (connection === state.connection) return
    state = { connection, since: Date.now() }
    for (const listener of listeners) listener()
  }

  function publish(message: LiveMessage): void {
    if (!recent.add(message)) return
    leases.receive(message)
    for (const hearer of messageListeners) hearer(message)
  }

  return {
    leases,
    start({ userId, position, onEnd }) {
      recent.begin(position)
      const stop = shareStream({
        name: `docket.live.${userId}`,
        recent,
        leases,
        publish,
        show: (connection) => {
          stream = connection
          show()
        },
        onEnd,
      })
      window.addEventListener('online', show)
      window.addEventListener('offline', show)
      show()
      return () => {
        stop()
        window.removeEventListener('online', show)
        window.removeEventListener('offline', show)
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    getState: () => state,
    onMessage(listener) {
      messageListeners.add(listener)
      return () => messageListeners.delete(listener)
    },
    whenBack() {
      return new Promise((resolve) => {
        const timer = state.connection === 'offline' ? undefined : setTimeout(done, TRY_AGAIN_AFTER_MS)
        listeners.add(look)
        function look() {
          if (state.connection !== 'offline') done()
        }
        function done() {
          clearTimeout(timer)
          listeners.delete(look)
          resolve()
        }
      })
    },
  }
}
