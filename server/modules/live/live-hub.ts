import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '#server/core/ctx.ts'
import { isDatabaseUnavailable } from '#server/core/database/database-failures.ts'
import { type Listener, listen } from '#server/core/database/listen.ts'
import { DomainError } from '#server/core/errors.ts'
import {
  type ClientConnection,
  createClientConnections,
  type Subscriber,
} from '#server/modules/live/client-connections.ts'
import { oneAtATime } from '#server/modules/live/one-at-a-time.ts'
import { hasEventsAfter, type NumberedEvent, readEvents, readPosition } from '#server/modules/live/read-events.ts'
import type { LiveMessage } from '#server/modules/live/schema.ts'
import { canReceive, isEmptyScope, readScope } from '#server/modules/live/scope.ts'
import { listLeases } from '#server/modules/review/leases/list-leases.ts'
import { LEASES_CHANNEL } from '#server/modules/review/leases/publish-lease.ts'
import type { LeaseNotice } from '#server/modules/review/leases/schema.ts'

/** The channel that the sequencer notifies when it has numbered events. */
const EVENTS_CHANNEL = 'docket_events'
/** How often sessions and roles are read again: a stream must end within a second of losing access, whatever the cause. */
const CHECK_EVERY_MS = 400
/** A client that missed more than this refetches everything, which is faster than replaying it. */
const REPLAY_LIMIT = 5_000

export interface SubscribeOptions {
  /** The last event id the client received; without one the stream starts now. */
  since: number | undefined
  signal: AbortSignal
}

/** The live hub: sends events and leases to all client connections of this process. */
export interface LiveHub {
  /**
   * Streams the events this person may see, with no gaps and no duplicates; ends when they lose access. FORBIDDEN for callers
   * who review nothing, RATE_LIMITED for too many streams of one session.
   */
  subscribe(subscriber: Subscriber, options: SubscribeOptions): Promise<AsyncGenerator<LiveMessage>>
  close(): Promise<void>
}

/** Where a client's stream begins, and the position from which its mailbox has everything. */
interface Start {
  since: number
  joinedAt: number
}

/**
 * One connection of the process listens for notifications; each event is read once and published to every client that may
 * receive it. `ctx` is the process's own.
 */
export function openLiveHub(ctx: Ctx): LiveHub {
  const clients = createClientConnections(ctx, async (client) => {
    client.mailbox.post({ kind: 'reset', seq: position })
    await postLeases(client)
  })
  const closing = new AbortController()
  const pendingLeases: LeaseNotice[] = []
  /** The number of the last event that was published. */
  let position = 0
  let listener: Listener | undefined
  let polling: Promise<void> | undefined

  const publishNewEvents = oneAtATime(async () => {
    if (clients.isEmpty()) {
      const last = await readPosition(ctx)
      if (clients.isEmpty()) {
        position = last
        return
      }
    }
    for (let isMore = true; isMore && !closing.signal.aborted; ) {
      const read = await readEvents(ctx, { after: position })
      if (read.events.length > 0) await clients.afterAccessCheck(() => postEvents(read.events))
      position = Math.max(position, read.upto)
      isMore = read.isMore
    }
  })

  function postEvents(events: NumberedEvent[]): void {
    for (const event of events) clients.post(event, event)
  }

  const publishPendingLeases = oneAtATime(async () => {
    const count = pendingLeases.length
    await clients.afterAccessCheck(() => {
      for (const lease of pendingLeases.splice(0, count)) clients.post(lease, { kind: 'lease', seq: position, lease })
    })
  })

  async function postLeases(client: ClientConnection): Promise<void> {
    const leases = await listLeases(client.ctx)
    client.mailbox.post({ kind: 'ready', seq: position, leases })
  }

  /** Waits until it listens: a lease published before that would be missed. */
  async function start(): Promise<void> {
    listener ??= listen(ctx.pool, {
      channels: [EVENTS_CHANNEL, LEASES_CHANNEL],
      onNotice: receive,
      onConnected: () => void catchUp().catch(report),
      log: ctx.log,
    })
    polling ??= poll()
    await listener.connected
  }

  function receive(channel: string, payload: string): void {
    if (clients.isEmpty()) return
    if (channel === EVENTS_CHANNEL) {
      publishNewEvents().catch(report)
      return
    }
    pendingLeases.push(JSON.parse(payload))
    publishPendingLeases().catch(report)
  }

  /** After the listening connection was lost: publishes the missed events, and the current leases. */
  async function catchUp(): Promise<void> {
    const affected = clients.all()
    await publishNewEvents()
    const remaining = await clients.afterAccessCheck(() => affected.filter(clients.has), affected)
    await Promise.all(remaining.map(postLeases))
  }

  /** Also covers what a dead listening connection misses before the failure is noticed. */
  async function poll(): Promise<void> {
    while (!closing.signal.aborted) {
      await sleep(CHECK_EVERY_MS, undefined, { signal: closing.signal }).catch(() => {})
      await Promise.all([clients.checkAccess(), publishNewEvents()]).catch(report)
    }
  }

  function report(error: unknown): void {
    ctx.log[isDatabaseUnavailable(error) ? 'warn' : 'error'](
      { err: error },
      'live: reading new events failed, retrying',
    )
  }

  async function* stream(client: ClientConnection, { since, joinedAt }: Start): AsyncGenerator<LiveMessage> {
    try {
      yield* replay(client, { since, joinedAt })
      if (!(await clients.afterAccessCheck(() => clients.has(client), [client]))) return
      yield { kind: 'ready', seq: joinedAt, leases: await listLeases(client.ctx) }
      yield* client.mailbox
    } finally {
      clients.remove(client)
    }
  }

  async function* replay(client: ClientConnection, { since, joinedAt }: Start): AsyncGenerator<LiveMessage> {
    if (since === joinedAt) return
    // A position ahead of ours can only come from a different database.
    if (since > joinedAt || joinedAt - since > REPLAY_LIMIT || !(await hasEventsAfter(ctx, since))) {
      yield { kind: 'reset', seq: joinedAt }
      return
    }
    const isReceived = (event: NumberedEvent) => clients.has(client) && canReceive(client.scope, event)
    for (let after = since; after < joinedAt; ) {
      const { events, upto } = await readEvents(ctx, { after, upto: joinedAt })
      yield* await clients.afterAccessCheck(() => events.filter(isReceived), [client])
      if (!clients.has(client)) return
      after = upto
    }
  }

  return {
    async subscribe(subscriber, { since, signal }) {
      const scope = await readScope(subscriber.ctx)
      if (isEmptyScope(scope)) throw new DomainError('FORBIDDEN')
      await start()
      await publishNewEvents()

      const client = clients.add(subscriber, scope)
      // From here on its mailbox has what comes after `position`; it reads what came before by itself.
      const joinedAt = position
      if (signal.aborted) clients.remove(client)
      signal.addEventListener('abort', () => clients.remove(client), { once: true })
      return stream(client, { since: since ?? joinedAt, joinedAt })
    },

    async close() {
      closing.abort()
      for (const client of clients.all()) clients.remove(client)
      await Promise.all([listener?.stop(), polling])
      // With no clients left it only waits for work in progress.
      await publishNewEvents().catch(report)
    },
  }
}
