import { setTimeout } from 'node:timers/promises'
import { type Actor, ActorIsOnlyRemembered, type Ctx, UNDO_WINDOW_MS } from '#server/core/ctx.ts'
import type { Pool } from '#server/core/database/db-types.ts'
import { SHARED } from '#server/core/database/shared-connections.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { NETWORK_PERMISSIONS } from '#server/core/permission-names.ts'
import { findActor, neverHolds } from '#server/modules/accounts/access/find-actor.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { decideComment } from '#server/modules/review/decisions/decide-shown.ts'
import { type Rehearse, rehearseApproval } from '#server/modules/review/decisions/rehearse-approval.ts'
import { countQueue } from '#server/modules/review/queue/count-queue.ts'
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

/** A long queue, and the approval of one of its comments. */
interface Busy {
  communityId: string
  rehearse: Rehearse | undefined
}

type Call = (ctx: Ctx, busy: Busy) => Promise<unknown>

type Place = Pick<Busy, 'communityId'>
const pageOfReviewQueue = (ctx: Ctx, { communityId }: Place) =>
  listReviewQueue(ctx, { ...ReviewQueueQuery.parse({}), communityId })
const pageOfDesk = (ctx: Ctx, { communityId }: Place) =>
  listDeskQueue(ctx, { ...DeskQueueInput.parse({}), communityId })

/** What is called most with one kind of credential, as each actor that it may make. The calls read at most one page. */
interface Usual {
  credential: 'token' | 'session'
  actors: Actor[]
  context: Pick<Ctx, 'source' | 'undoWindowMs'>
  /** For a remembered actor as well as for one that was looked up. */
  recalled: Call[]
  /** Only for an actor that was looked up. */
  lookedUp: Call[]
}

const USUAL: Usual[] = [
  {
    credential: 'token',
    actors: [
      { kind: 'user', ...PERSON, tokenId: NONE },
      { ...ADMIN, tokenId: NONE },
    ],
    context: { source: 'rest', undoWindowMs: 0 },
    recalled: [pageOfReviewQueue, (ctx) => decideComment(ctx, { commentId: NONE, outcome: 'approved' })],
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
    lookedUp: [(ctx) => countQueue(ctx)],
  },
]

/** PostgreSQL plans a statement five times for its values before it keeps a plan for any values. */
const ROUNDS = 6
/** Held comments of a queue whose statements are worth planning before the first request: those of a shorter one are soon planned. */
const LONG_QUEUE = 1_000

interface WarmUpOptions {
  /** How many of the pool; besides, those that reads share. */
  connections: number
  limitMs: number
}

/**
 * Runs the statements of the most frequent requests on the connections where they will run, so that the first requests find them prepared
 * and planned. Waits `limitMs` at most, and begins no statement after that; never fails, and writes nothing.
 */
export async function warmUp(system: Ctx, { connections, limitMs }: WarmUpOptions): Promise<void> {
  const end = performance.now() + limitMs
  const onEach = (pool: Pool, count: number, warm: (ctx: Ctx) => Promise<void>) =>
    Promise.all(Array.from({ length: count }, () => inTransaction({ ...system, pool, db: pool }, warm)))
  const warming = async () => {
    const busy = await findBusy(system)
    await onEach(system.pool.reads ?? system.pool, SHARED, async (ctx) => {
      await execute(ctx, sql`set transaction read only`)
      await callAll(readsOf(ctx, busy), end)
    })
    // PostgreSQL rejects approvals in a transaction that can only read, even where they would write nothing.
    await onEach(system.pool, connections, (ctx) => callAll([...lookUpsOf(ctx), ...approvalsOf(ctx, busy)], end))
  }
  const warmed = warming().catch((error) => {
    system.log.warn({ err: error }, 'the first requests are slower: their statements could not be prepared')
  })
  await Promise.race([warmed, setTimeout(limitMs, undefined, { ref: false })])
}

/** By the plans for an id that nothing has, PostgreSQL would never keep the plan for any values. */
async function findBusy(system: Ctx): Promise<Busy> {
  const longest = await queryOne<{ communityId: string }>(
    system,
    sql`
    select k.community_id from tally t join community k on k.community_id = t.subject_id and not k.is_deleted
    where t.kind = 'held_comments' and t.total >= ${LONG_QUEUE} order by t.total desc limit 1`,
  )
  if (longest === undefined) return { communityId: NONE, rehearse: undefined }
  const { communityId } = longest
  const ctx = everywhere(system)
  const { comments } = await pageOfReviewQueue(ctx, { communityId })
  return { communityId, rehearse: await rehearseApproval(ctx, comments[0]?.commentId ?? NONE) }
}

/** An admin, who sees what is held. */
const everywhere = (system: Ctx): Ctx => ({ ...system, actor: { ...ADMIN, tokenId: NONE } })

async function callAll(calls: Iterable<() => Promise<void>>, end: number): Promise<void> {
  for (const call of calls) {
    if (performance.now() > end) return
    await call()
  }
}

/**
 * Where no queue is long, statements are only prepared. What remembered actors send is planned: an actor is looked up once. They find nothing,
 * so an admin reads pages too: V8 compiles what turns rows into answers.
 */
function* readsOf(system: Ctx, busy: Busy): Iterable<() => Promise<void>> {
  const rounds = busy.communityId === NONE ? 1 : ROUNDS
  for (let round = 1; round <= rounds; round += 1) {
    for (const { ctx, remembered, recalled, lookedUp } of usualCallers(system)) {
      for (const call of recalled) yield () => finding(call(remembered, busy))
      if (round > 1) continue
      for (const call of [...recalled, ...lookedUp]) yield () => finding(call(ctx, busy))
    }
    if (rounds === 1) continue
    const seeing = everywhere(system)
    yield () => finding(pageOfReviewQueue(seeing, busy))
    yield () => finding(pageOfDesk(seeing, busy))
  }
}

/** On connections of the pool: a caller is looked up before it is known what they ask for. */
function* lookUpsOf({ db }: Ctx): Iterable<() => Promise<void>> {
  for (const { credential } of USUAL) yield () => findActor(db, { kind: credential, secret: NONE }).then(() => {})
}

function* approvalsOf(system: Ctx, { rehearse }: Busy): Iterable<() => Promise<void>> {
  if (rehearse === undefined) return
  for (let round = 1; round <= ROUNDS; round += 1)
    for (const { remembered } of usualCallers(system)) yield () => rehearse(remembered)
}

function* usualCallers(system: Ctx): Iterable<Usual & { ctx: Ctx; remembered: Ctx }> {
  for (const usual of USUAL) {
    for (const actor of usual.actors) {
      const ctx: Ctx = { ...system, ...usual.context, actor }
      const ifActorHolds = neverHolds({ kind: usual.credential, secret: NONE }, actor.kind)
      yield { ...usual, ctx, remembered: { ...ctx, ifActorHolds } }
    }
  }
}

/** Most calls find nothing. */
async function finding(calling: Promise<unknown>): Promise<void> {
  await calling.catch((error) => {
    if (!(error instanceof DomainError || error instanceof ActorIsOnlyRemembered)) throw error
  })
}
