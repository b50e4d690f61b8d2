import { createTRPCClient, httpSubscriptionLink } from '@trpc/client'
import { failureOf } from '#components/trpc/failure.ts'
import type { LiveMessage } from '#server/modules/live/schema.ts'
import type { AppRouter } from '#server/trpc/root.ts'
import type { Connection } from './live.ts'

const REOPEN_AFTER_MS = { first: 500, longest: 15_000 }

interface Keeping {
  /** The last place that was heard of. */
  from: () => number | undefined
  signal: AbortSignal
  onState: (connection: Connection) => void
  onMessage: (message: LiveMessage) => void
}

/**
 * Follows the desk for as long as one stays, over every break. True where the server ended it: this person is told no more.
 * The browser itself takes up a stream that breaks; what it gives up on, and what was offline, is opened anew here.
 */
export async function keepStream({ from, signal, onState, onMessage }: Keeping): Promise<boolean> {
  const client = createTRPCClient<AppRouter>({ links: [httpSubscriptionLink({ url: '/api/trpc' })] })
  let waitMs = REOPEN_AFTER_MS.first

  while (!signal.aborted) {
    const end = await new Promise<'over' | 'broken'>((resolve) => {
      const position = from()
      const subscription = client.live.events.subscribe(
        position === undefined ? {} : { lastEventId: String(position) },
        {
          onData: ({ data }) => {
            if (data.kind === 'ready') {
              waitMs = REOPEN_AFTER_MS.first
              onMessage(data)
              onState('live')
            } else onMessage(data)
          },
          onConnectionStateChange: ({ state, error }) => state === 'connecting' && error && onState('reconnecting'),
          onComplete: () => close('over'),
          onError: (error) => close(isRefused(error) ? 'over' : 'broken'),
        },
      )
      const onLeave = () => close('broken')
      signal.addEventListener('abort', onLeave)
      window.addEventListener('offline', onLeave)
      function close(how: 'over' | 'broken') {
        signal.removeEventListener('abort', onLeave)
        window.removeEventListener('offline', onLeave)
        // First: unsubscribing says that it is over too.
        resolve(how)
        subscription.unsubscribe()
      }
    })
    if (end === 'over' && !signal.aborted) return true
    if (signal.aborted) return false

    onState('reconnecting')
    await (navigator.onLine ? pause(waitMs, signal) : online(signal))
    waitMs = Math.min(waitMs * 2, REOPEN_AFTER_MS.longest)
  }
  return false
}

function isRefused(error: unknown): boolean {
  const { code } = failureOf(error)
  return code === 'UNAUTHORIZED' || code === 'FORBIDDEN'
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
  })
}

function online(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    window.addEventListener('online', () => resolve(), { once: true, signal })
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
