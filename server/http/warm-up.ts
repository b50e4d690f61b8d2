import { setTimeout } from 'node:timers/promises'
import { type Actor, ActorIsOnlyRemembered, type Ctx, UNDO_WINDOW_MS } from '#server/core/ctx.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { NETWORK_PERMISSIONS } from '#server/core/permission-names.ts'
import { findActor } from '#server/modules/accounts/access/find-actor.ts'
import { countQueue } from '#server/modules/review/queue/count-queue.ts'
import { decide } from '#server/modules/review/queue/decide.ts'
import { decideComment } from '#server/modules/review/queue/decide-shown.ts'
import { listDeskQueue } from '#server/modules/review/queue/list-queue.ts'
import { listReviewQueue } from '#server/modules/review/queue/list-review-queue.ts'
import { DeskQueueInput, ReviewQueueQuery } from '#server/modules/review/queue/schema.ts'
import { SearchMessagesQuery } from '#server/modules/search/schema.ts'
import { searchMessages } from '#server/modules/search/search-messages.ts'
import { getChannel } from '#server/modules/spaces/channels/get-channel.ts'
import { listMembers } from '#server/modules/spaces/channels/list-members.ts'
import { MembersQuery } from '#server/modules/spaces/channels/schema.ts'

/** An id and a secret that nothing has: ids are never blank. */
const NONE = ' '
const PERSON = { userId: NONE, name: NONE }
const ADMIN = { kind: 'admin', name: NONE, rank: 0, permissions: new Set(NETWORK_PERMISSIONS) } as const

/** What a caller does most, with a credential of the kind and as each actor that it may make. It finds nothing, and so changes nothing. */
interface Usual {
  credential: 'token' | 'session'
  actors: Actor[]
  context: Pick<Ctx, 'source' | 'undoWindowMs'>
  /** Calls for a remembered actor, and for one that was looked up. */
  recalled: ((ctx: Ctx) => Promise<unknown>)[]
  /** Calls only for an actor that was looked up. */
  lookedUp: ((ctx: Ctx) => Promise<unknown>)[]
}

const USUAL: Usual[] = [
  {
    credential: 'token',
    actors: [
      { kind: 'user', ...PERSON, tokenId: NONE },
      { ...ADMIN, tokenId: NONE },
    ],
    context: { source: 'rest', undoWindowMs: 0 },
    recalled: [
      (ctx) => listReviewQueue(ctx, { ...ReviewQueueQuery.parse({}), communityId: NONE }),
      (ctx) => decideComment(ctx, { commentId: NONE, outcome: 'approved' }),
    ],
    lookedUp: [
      (ctx) => searchMessages(ctx, SearchMessagesQuery.parse({ query: 'docket' })),
      (ctx) => getChannel(ctx, { channelId: NONE }),
      (ctx) => listMembers(ctx, { ...MembersQuery.parse({}), channelId: NONE }),
    ],
  },
  {
    credential: 'session',
    actors: [
      { kind: 'user', ...PERSON, staffId: NONE, sessionId: NONE },
      { ...ADMIN, ...PERSON, staffId: NONE, sessionId: NONE },
    ],
    context: { source: 'desk', undoWindowMs: UNDO_WINDOW_MS },
    recalled: [
      (ctx) => listDeskQueue(ctx, DeskQueueInput.parse({})),
      (ctx) =>
        decide(ctx, { subjectType: 'comment', subjectId: NONE, outcome: 'approved', version: 1, clientKey: NONE }),
    ],
    lookedUp: [countQueue],
  },
]

interface WarmUpOptions {
  connections: number
  limitMs: number
}

/**
 * Runs the statements of the most frequent requests once on `connections` connections of the pool, so that the first requests find them
 * prepared. Waits `limitMs` at most, and begins no statement after that; never fails, and writes nothing.
 */
export async function warmUp(system: Ctx, { connections, limitMs }: WarmUpOptions): Promise<void> {
  const end = performance.now() + limitMs
  const warming = Promise.all(Array.from({ length: connections }, () => warmConnection(system, end)))
  const warmed = warming.catch((error) => {
    system.log.warn({ err: error }, 'the first requests are slower: their statements could not be prepared')
  })
  await Promise.race([warmed, setTimeout(limitMs, undefined, { ref: false })])
}

/**
 * The plans are made for any values, as these executions must not count among the five after which PostgreSQL decides whether such a plan
 * is good enough: ids that nothing has would let it decide wrongly.
 */
function warmConnection(system: Ctx, end: number): Promise<void> {
  return inTransaction(system, async (ctx) => {
    await execute(ctx, sql`set transaction read only`)
    await execute(ctx, sql`set local plan_cache_mode = force_generic_plan`)
    for (const call of usualCalls(ctx)) {
      if (performance.now() > end) return
      await call()
    }
  })
}

function* usualCalls(system: Ctx): Iterable<() => Promise<unknown>> {
  for (const { credential, actors, context, recalled, lookedUp } of USUAL) {
    for (const actor of actors) {
      let ctx: Ctx = { ...system, ...context, actor }
      yield async () => {
        const { holds } = await findActor(system.db, { kind: credential, secret: NONE })
        ctx = { ...ctx, ifActorHolds: holds }
      }
      for (const call of recalled) yield () => withoutFinding(call(ctx))
      for (const call of [...recalled, ...lookedUp])
        yield () => withoutFinding(call({ ...ctx, ifActorHolds: undefined }))
    }
  }
}

async function withoutFinding(calling: Promise<unknown>): Promise<void> {
  await calling.catch((error) => {
    if (!(error instanceof DomainError || error instanceof ActorIsOnlyRemembered)) throw error
  })
}
