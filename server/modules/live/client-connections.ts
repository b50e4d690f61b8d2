import type { Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import { readSessionStates } from '#server/modules/accounts/access/read-session-states.ts'
import { createMailbox, type Mailbox } from '#server/modules/live/mailbox.ts'
import { oneAtATime } from '#server/modules/live/one-at-a-time.ts'
import type { LiveMessage } from '#server/modules/live/schema.ts'
import {
  canReceive,
  type EventScope,
  isEmptyScope,
  isSameScope,
  readScope,
  type Scope,
} from '#server/modules/live/scope.ts'

/** One stream per browser; streams of a lost connection take a while to close. */
const STREAMS_A_SESSION = 12

export interface Subscriber {
  ctx: Ctx
  /** The session's id. */
  session: string
  /** The context of the same session with its current access. */
  renew(): Promise<Ctx>
}

export interface ClientConnection extends Subscriber {
  scope: Scope
  mailbox: Mailbox<LiveMessage>
  /** Of the access that `scope` was last read with (`readSessionStates`). */
  fingerprint?: string
  /** The number of the last access check that included it. */
  checkedIn: number
}

export interface ClientConnections {
  isEmpty(): boolean
  has(client: ClientConnection): boolean
  all(): ClientConnection[]
  /** Fails with RATE_LIMITED for too many streams of one session. */
  add(subscriber: Subscriber, scope: Scope): ClientConnection
  /** Ends its stream, with the error if there is one. */
  remove(client: ClientConnection, error?: Error): void
  /** Sends the message to every client whose scope allows it. */
  post(scope: EventScope, message: LiveMessage): void
  /** Ends the streams of sessions that have lost access, and reads again what the others may receive. */
  checkAccess(): Promise<void>
  /**
   * Calls `publish` with the access that is committed now, so that what was read before this call never reaches somebody whose
   * role was removed by then. Nothing runs between the check and `publish`. It covers `clients`, by default all of them and
   * those that are added while it runs.
   */
  afterAccessCheck<Result>(publish: () => Result, clients?: ClientConnection[]): Promise<Result>
}

/** The client connections of this process. `onScopeChange` is called for a client that may receive more or less than before. */
export function createClientConnections(
  ctx: Ctx,
  onScopeChange: (client: ClientConnection) => Promise<void>,
): ClientConnections {
  const clients = new Set<ClientConnection>()
  let checksWanted = 0

  const checkAccess = oneAtATime(async () => {
    if (clients.size === 0) return
    const check = checksWanted
    const checked = [...clients]
    const fingerprints = await readSessionStates(ctx, [...new Set(checked.map(({ session }) => session))])
    await Promise.all(checked.map((client) => renew(client, fingerprints.get(client.session))))
    for (const client of checked) client.checkedIn = check
  })

  async function renew(client: ClientConnection, fingerprint: string | undefined): Promise<void> {
    if (fingerprint === undefined) return remove(client)
    if (fingerprint === client.fingerprint) return
    const renewed = await client.renew()
    const scope = await readScope(renewed)
    if (renewed.actor.kind === 'nobody' || isEmptyScope(scope)) return remove(client)

    const hasChanged = !isSameScope(scope, client.scope)
    Object.assign(client, { scope, fingerprint, ctx: renewed })
    if (hasChanged) await onScopeChange(client)
  }

  function remove(client: ClientConnection, error?: Error): void {
    clients.delete(client)
    client.mailbox.close(error)
  }

  return {
    isEmpty: () => clients.size === 0,
    has: (client) => clients.has(client),
    all: () => [...clients],

    add(subscriber, scope) {
      const streams = [...clients].filter(({ session }) => session === subscriber.session)
      if (streams.length >= STREAMS_A_SESSION) throw new DomainError('RATE_LIMITED')
      const client: ClientConnection = { ...subscriber, scope, mailbox: createMailbox(), checkedIn: 0 }
      clients.add(client)
      return client
    },

    remove,

    post(scope, message) {
      for (const client of clients) {
        if (!canReceive(client.scope, scope) || client.mailbox.post(message)) continue
        // A client that can't keep up is disconnected as by an error, and catches up when it reconnects.
        remove(client, new DomainError('UNAVAILABLE'))
      }
    },

    checkAccess,

    async afterAccessCheck(publish, covered) {
      checksWanted += 1
      const wanted = checksWanted
      const isUnchecked = (client: ClientConnection) => clients.has(client) && client.checkedIn < wanted
      do await checkAccess()
      while ((covered ?? [...clients]).some(isUnchecked))
      return publish()
    },
  }
}
