import type { LiveMessage } from '#server/modules/live/schema.ts'
import type { Connection } from './connection.ts'

const REOPEN_AFTER_MS = { first: 500, longest: 15_000 }
/** The server pings every 15 s: a stream that is silent for longer is dead, whatever the browser reports. */
const DEAD_AFTER_MS = 40_000

interface Keeping {
  /** The last position received. */
  from: () => number | undefined
  signal: AbortSignal
  onState: (connection: Connection) => void
  onMessage: (message: LiveMessage) => void
}

/** Follows the desk's event stream, reconnecting after every break. Resolves to true if the server ended it for this person. */
export async function keepStream({ from, signal, onState, onMessage }: Keeping): Promise<boolean> {
  let waitMs = REOPEN_AFTER_MS.first
  while (!signal.aborted) {
    const end = await follow(from(), signal, (message) => {
      onMessage(message)
      if (message.kind !== 'ready') return
      waitMs = REOPEN_AFTER_MS.first
      onState('live')
    })
    if (signal.aborted) return false
    if (end === 'over') return true

    onState('reconnecting')
    await until(signal, (resolve) => {
      window.addEventListener('online', resolve, { once: true, signal })
      if (navigator.onLine) setTimeout(resolve, waitMs)
    })
    waitMs = Math.min(waitMs * 2, REOPEN_AFTER_MS.longest)
  }
  return false
}

/** One connection, until it breaks or ends. Parses tRPC's event stream directly: tRPC's own client adds 5 kB of script. */
function follow(
  position: number | undefined,
  signal: AbortSignal,
  onMessage: (message: LiveMessage) => void,
): Promise<'over' | 'broken'> {
  const query = position === undefined ? '' : `?lastEventId=${position}`
  const source = new EventSource(`/api/trpc/live.events${query}`)
  const closing = new AbortController()

  return new Promise<'over' | 'broken'>((resolve) => {
    const broken = () => resolve('broken')
    let dying = setTimeout(broken, DEAD_AFTER_MS)
    const alive = () => {
      clearTimeout(dying)
      dying = setTimeout(broken, DEAD_AFTER_MS)
    }
    const on = (name: string, act: (text: string) => void) =>
      source.addEventListener(name, (event: MessageEvent<string>) => {
        alive()
        act(event.data)
      })

    on('ping', () => {})
    on('message', (text) => onMessage(JSON.parse(text)))
    on('return', () => resolve('over'))
    on('serialized-error', (text) => resolve(isRejection(JSON.parse(text)) ? 'over' : 'broken'))
    // The browser reconnects by itself, but not after an error response.
    source.addEventListener('error', broken)
    window.addEventListener('offline', broken, { signal: closing.signal })
    signal.addEventListener('abort', broken, { signal: closing.signal })
    closing.signal.addEventListener('abort', () => clearTimeout(dying))
  }).finally(() => {
    closing.abort()
    source.close()
  })
}

function isRejection({ data }: { data?: { code?: string } }): boolean {
  return data?.code === 'UNAUTHORIZED' || data?.code === 'FORBIDDEN'
}

function until(signal: AbortSignal, wait: (resolve: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
    wait(resolve)
  })
}
