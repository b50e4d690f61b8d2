import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '#server/core/ctx.ts'
import { isDatabaseUnavailable } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { type Listener, listen } from '#server/core/listen.ts'
import { readSessionStates } from '#server/modules/accounts/access/read-session-states.ts'
import { createMailbox, type Mailbox } from '#server/modules/live/mailbox.ts'
import { isKept, type NumberedEvent, readEvents, readPosition } from '#server/modules/live/read-events.ts'
import type { LiveMessage } from '#server/modules/live/schema.ts'
import {
  canReceive,
  type EventScope,
  isEmptyScope,
  isSameScope,
  readScope,
  type Scope,
} from '#server/modules/live/scope.ts'
import { listLeases } from '#server/modules/review/leases/list-leases.ts'
import { LEASES_CHANNEL } from '#server/modules/review/leases/publish-lease.ts'
import type { LeaseNotice } from '#server/modules/review/leases/schema.ts'

/** The channel that the sequencer notifies when it has numbered events. */
const EVENTS_CHANNEL = 'docket_events'
/** How often sessions and roles are read again: a stream must end within a second of losing access, whatever the cause. */
const LOOK_EVERY_MS = 400
/** A client that missed more than this refetches everything, which is faster than replaying it. */
const EVENTS_CAUGHT_UP = 5_000
/** One stream per browser; streams of a lost connection take a while to close. */
const STREAMS_A_SESSION = 12

export interface Subscriber {
  ctx: Ctx
  /** The session's id. */
  session: string
  /** The context of the same session with its current access. */
  renew(): Promise<Ctx>
}

export interface SubscribeOptions {
  /** The last event id the client received; without one the stream starts now. */
  since: number | undefined
  signal: AbortSignal
}

/** The live hub: all client connections of this process. */
export interface LiveHub {
  /**
   * Streams the events this person may see, with no gaps and no duplicates; ends when they lose access. FORBIDDEN for callers
   * who review nothing, RATE_LIMITED for too many streams of one session.
   */
  subscribe(follower: Subscriber, following: SubscribeOptions): Promise<AsyncGenerator<LiveMessage>>
  close(): Promise<void>
}

interface ClientConnection extends Subscriber {
  scope: Scope
  mailbox: Mailbox<LiveMessage>
  /** The last result of `readStandings` for it. */
  mark?: string
  /** The last check that included it. */
  looked: number
}

/**
 * One connection of the process listens for notifications; each event is read once and published to every client that may
 * receive it. `ctx` is the process's own.
 */
export function openLiveHub(ctx: Ctx): LiveHub {
  const desks = new Set<ClientConnection>()
  const closing = new AbortController()
  const waitingLeases: LeaseNotice[] = []
  let head = 0
  let look = 0
  let listener: Listener | undefined
  let watching: Promise<void> | undefined

  function post(scope: EventScope, message: LiveMessage): void {
    for (const desk of desks) {
      if (!canReceive(desk.scope, scope) || desk.mailbox.post(message)) continue
      // A client that can't keep up is disconnected as by an error, and catches up when it reconnects.
      leave(desk, new DomainError('UNAVAILABLE'))
    }
  }

  function postAll(events: NumberedEvent[]): void {
    for (const event of events) post(event, event)
  }

  function leave(desk: ClientConnection, error?: Error): void {
    desks.delete(desk)
    desk.mailbox.close(error)
  }

  async function readAhead(): Promise<void> {
    if (desks.size === 0) {
      const position = await readPosition(ctx)
      if (desks.size === 0) {
        head = position
        return
      }
    }
    for (let isMore = true; isMore && !closing.signal.aborted; ) {
      const { events, upto } = await readEvents(ctx, { after: head })
      if (events.length > 0) await afterLook(() => postAll(events))
      isMore = upto === events.at(-1)?.seq
      head = Math.max(head, upto)
    }
  }
  const catchUpWithDatabase = oneAtATime(readAhead)

  /** Ends the streams of sessions that have lost access, and refreshes what the others may receive. */
  const checkStandings = oneAtATime(async () => {
    if (desks.size === 0) return
    const now = look
    const looked = [...desks]
    const marks = await readSessionStates(ctx, [...new Set(looked.map(({ session }) => session))])
    await Promise.all(looked.map((desk) => renew(desk, marks.get(desk.session))))
    for (const desk of looked) desk.looked = now
  })

  /**
   * Publishes what was read before this call by the roles that are committed now, so that events after a role was removed never
   * reach its former holder. Nothing runs between the check and `publish`; a check of all streams includes those that start
   * while it runs.
   */
  async function afterLook<Result>(
    publish: () => Result,
    readers: Iterable<ClientConnection> = desks,
  ): Promise<Result> {
    look += 1
    const wanted = look
    do await checkStandings()
    while ([...readers].some((desk) => desks.has(desk) && desk.looked < wanted))
    return publish()
  }

  async function renew(desk: ClientConnection, mark: string | undefined): Promise<void> {
    if (mark === undefined) return leave(desk)
    if (mark === desk.mark) return
    const renewed = await desk.renew()
    const scope = await readScope(renewed)
    if (renewed.actor.kind === 'nobody' || isEmptyScope(scope)) return leave(desk)

    const hasChanged = !isSameScope(scope, desk.scope)
    Object.assign(desk, { scope, mark, ctx: renewed })
    if (!hasChanged) return
    desk.mailbox.post({ kind: 'reset', seq: head })
    await postLeases(desk)
  }

  async function watch(): Promise<void> {
    while (!closing.signal.aborted) {
      await sleep(LOOK_EVERY_MS, undefined, { signal: closing.signal }).catch(() => {})
      // Polling also covers what a dead listening connection misses before the failure is noticed.
      await Promise.all([checkStandings(), catchUpWithDatabase()]).catch(report)
    }
  }

  function report(error: unknown): void {
    ctx.log[isDatabaseUnavailable(error) ? 'warn' : 'error'](
      { err: error },
      'live: reading new events failed, retrying',
    )
  }

  function hear(channel: string, payload: string): void {
    if (desks.size === 0) return
    if (channel === EVENTS_CHANNEL) {
      catchUpWithDatabase().catch(report)
      return
    }
    waitingLeases.push(JSON.parse(payload))
    postPendingLeases().catch(report)
  }

  const postPendingLeases = oneAtATime(async () => {
    const count = waitingLeases.length
    await afterLook(() => {
      for (const lease of waitingLeases.splice(0, count)) post(lease, { kind: 'lease', seq: head, lease })
    })
  })

  /** Catches up after the listening connection was lost: reads the missed events, and publishes the current leases. */
  async function makeGood(): Promise<void> {
    const deaf = [...desks]
    await catchUpWithDatabase()
    const staying = await afterLook(() => deaf.filter((desk) => desks.has(desk)), deaf)
    await Promise.all(staying.map(postLeases))
  }

  async function postLeases(desk: ClientConnection): Promise<void> {
    const leases = await listLeases(desk.ctx)
    desk.mailbox.post({ kind: 'ready', seq: head, leases })
  }

  /** Waits until it listens: a lease published before that would be missed. */
  async function start(): Promise<void> {
    listener ??= listen(ctx.pool, {
      channels: [EVENTS_CHANNEL, LEASES_CHANNEL],
      onNotice: hear,
      onConnected: () => void makeGood().catch(report),
      log: ctx.log,
    })
    watching ??= watch()
    await listener.connected
  }

  async function* messagesOf(desk: ClientConnection, { since, joinedAt }: { since: number; joinedAt: number }) {
    try {
      yield* missedBy(desk, { since, joinedAt })
      if (!(await afterLook(() => desks.has(desk), [desk]))) return
      yield { kind: 'ready' as const, seq: joinedAt, leases: await listLeases(desk.ctx) }
      yield* desk.mailbox
    } finally {
      leave(desk)
    }
  }

  async function* missedBy(
    desk: ClientConnection,
    { since, joinedAt }: { since: number; joinedAt: number },
  ): AsyncGenerator<LiveMessage> {
    if (since === joinedAt) return
    // A position ahead of ours can only come from a different database.
    if (since > joinedAt || joinedAt - since > EVENTS_CAUGHT_UP || !(await isKept(ctx, since))) {
      yield { kind: 'reset', seq: joinedAt }
      return
    }
    for (let after = since; after < joinedAt; ) {
      const { events, upto } = await readEvents(ctx, { after, upto: joinedAt })
      yield* await afterLook(() => events.filter((event) => desks.has(desk) && canReceive(desk.scope, event)), [desk])
      if (!desks.has(desk)) return
      after = upto
    }
  }

  return {
    async subscribe(follower, { since, signal }) {
      const scope = await readScope(follower.ctx)
      if (isEmptyScope(scope)) throw new DomainError('FORBIDDEN')
      if ([...desks].filter(({ session }) => session === follower.session).length >= STREAMS_A_SESSION)
        throw new DomainError('RATE_LIMITED')

      await start()
      await catchUpWithDatabase()
      const desk: ClientConnection = { ...follower, scope, mailbox: createMailbox(), looked: 0 }
      // From here on it receives what comes after `head`; up to there it reads for itself.
      const joinedAt = head
      desks.add(desk)
      if (signal.aborted) leave(desk)
      signal.addEventListener('abort', () => leave(desk), { once: true })
      return messagesOf(desk, { since: since ?? joinedAt, joinedAt })
    },

    async close() {
      closing.abort()
      for (const desk of desks) leave(desk)
      await Promise.all([listener?.stop(), watching])
      // With no clients left it only waits for work in progress.
      await catchUpWithDatabase().catch(report)
    },
  }
}

/** Runs one task at a time; callers share the next run, which starts after their call. */
function oneAtATime(act: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  return () => {
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined
        running = act()
        return running
      })
    return next
  }
}
