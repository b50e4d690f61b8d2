import type { BanTerms } from '#server/core/ban-terms.ts'
import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import {
  execute,
  inTransaction,
  isInTransaction,
  onSharedConnections,
  onSharedWriteConnections,
  queryOne,
  sql,
} from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { ownRank, ownRankByRow } from '#server/core/permissions.ts'
import { auditTables } from '#server/modules/ledger/audit/record-audit.ts'
import { deltaTables } from '#server/modules/ledger/counts/record-delta.ts'
import { eventTables } from '#server/modules/ledger/events/record-event.ts'
import { mayActOnRow } from '#server/modules/spaces/membership/find-people.ts'
import { idsOf, insertRows, requireAll } from '#server/modules/spaces/membership/lock-people.ts'
import { toActs, toEvent } from '#server/modules/spaces/membership/publish-members.ts'
import {
  assignments,
  countChanges,
  memberDeltas,
  TRANSITIONS,
  toMemberChanges,
  writeBans,
} from '#server/modules/spaces/membership/set-membership.ts'
import type { FoundPeople, FoundPerson, SpaceKind, WantedPeople } from '#server/modules/spaces/membership/space-kind.ts'
import type { SpaceTable } from '#server/modules/spaces/membership/space-kinds.ts'

interface PeopleAct extends Omit<WantedPeople, 'comparesRanks'> {
  act: 'banned' | 'unbanned' | 'removed'
  /** Of a ban. */
  terms?: BanTerms | undefined
  /** Fails if the action is not allowed on one of these people. */
  assertAllowed(people: FoundPerson[]): void
}

/** An action whose people or space are changed by others while it runs is tried again at most this often before it locks them. */
const ATTEMPTS = 2

/**
 * Acts on people of a space, all of them or none, and returns the space with them. One statement reads all that the checks, the log, the
 * event and the answer need; another compares the people, and the caller, with what was read, changes them, counts, logs and publishes.
 * People who have no row yet, or who are changed by others all the time, are locked first. Fails with NOT_FOUND for a space that the caller
 * may not see and for unknown people, FORBIDDEN without the permission, and as `assertAllowed` does.
 */
export async function actOnPeople<Answer>(ctx: Ctx, kind: SpaceKind<Answer>, wanted: PeopleAct): Promise<Answer> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    // The statement that changes people compares their ranks; they are only read with ranks to tell why it changed nobody.
    const comparesRanks = attempt > 1
    const found = await find(ctx, kind, { ...wanted, comparesRanks })
    if (!comparesRanks && found.concerned.length < found.people.length) continue
    if (found.concerned.length === 0) return found.publish(noChange(ctx, wanted)).answer
    if (isInTransaction(ctx) || found.concerned.some(({ stored }) => stored === null)) break
    const done = await write(ctx, kind, wanted, found)
    if (done) return done.answer
  }
  return inTransaction(ctx, async (ctx) => {
    await kind.lock(ctx, wanted.spaceId, wanted.action)
    await lockRows(ctx, kind, wanted)
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const found = await find(ctx, kind, { ...wanted, comparesRanks: true })
      if (found.concerned.length === 0) return found.publish(noChange(ctx, wanted)).answer
      const done = await write(ctx, kind, wanted, found)
      if (done) return done.answer
    }
    throw new DomainError('UNAVAILABLE')
  })
}

const noChange = (ctx: Ctx, { act }: PeopleAct) => ({
  act,
  at: ctx.now(),
  changed: [],
  counts: { members: 0, moderators: 0 },
})

type Found<Answer> = FoundPeople<Answer> & { concerned: FoundPerson[] }

async function find<Answer>(
  ctx: Ctx,
  kind: SpaceKind<Answer>,
  wanted: PeopleAct & WantedPeople,
): Promise<Found<Answer>> {
  const found = await kind.find(onSharedConnections(ctx), wanted)
  if (found === undefined) throw new DomainError('NOT_FOUND')
  if (!found.mayAct) throw new DomainError('FORBIDDEN')
  const people =
    kind.locksRows && wanted.act !== 'banned'
      ? found.people.filter(({ membership }) => membership !== 'none')
      : requireAll(found.people, wanted)
  wanted.assertAllowed(people)
  const { from } = TRANSITIONS[wanted.act]
  return { ...found, people, concerned: people.filter(({ membership }) => from.includes(membership)) }
}

/**
 * One statement. The lock on the space is shared with other such actions and excludes all others. No lock is waited for: the caller's
 * permission is as current as theirs, and no other action, whatever it locks first, can wait in a circle with this one. Returns undefined, and
 * changes nothing, if the space, the caller or one of the people is locked by another action, or is not as they were read.
 */
async function write<Answer>(
  ctx: Ctx,
  kind: SpaceKind<Answer>,
  { spaceId, action, act, terms }: PeopleAct,
  { own, concerned, publish }: Found<Answer>,
): Promise<{ answer: Answer } | undefined> {
  const { members, id } = kind
  const counts = countChanges(kind, act, concerned)
  const changes = toMemberChanges(kind, { act, terms }, concerned)
  const published = kind.acts[act]
  const now = ctx.now()
  const { payload, answer } = publish({ act, at: now, changed: idsOf(concerned), counts })

  const written = { act, now, roles: sql`'{}'::text[]` }
  const rows = concerned.map(({ userId, stored }) => ({
    user_id: userId,
    membership: stored?.membership,
    is_deleted: stored?.isDeleted,
    roles: stored?.roles,
  }))
  const mine = sql`mine`
  const caller = own && {
    rank: ownRankByRow(ctx, mine),
    mayAct: kind.mayActByRow(ctx, action, mine),
    joined: sql`
      join ${members} mine on mine.${id} = s.${id} and mine.user_id = ${actingUserId(ctx) ?? null}
        and mine.membership = ${own.membership}::membership and mine.is_deleted = ${own.isDeleted} and mine.roles = ${own.roles}::text[]`,
  }
  const done = await queryOne<{ count: number }>(
    onSharedWriteConnections(ctx),
    sql`
    with space as materialized (
      select ${caller?.rank ?? ownRank(ctx, 'network')} as own_rank from ${kind.table} s ${caller?.joined ?? sql.empty}
      where s.${id} = ${spaceId} and not s.is_deleted and ${caller?.mayAct ?? kind.mayAct(ctx, action, sql`s.${id}`)}
      for share of s ${caller ? sql`, mine` : sql.empty} skip locked),
    seen as materialized (
      select person.* from space cross join jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as person(user_id text, membership membership, is_deleted boolean, roles text[])
      where ${mayActOnRow(ctx, kind, sql`person`, sql`space.own_rank`)}),
    locked as materialized (
      select cu.user_id from seen join ${members} cu on cu.user_id = seen.user_id
      where cu.${id} = ${spaceId} and cu.membership = seen.membership and cu.is_deleted = seen.is_deleted and cu.roles = seen.roles
      order by cu.user_id for no key update of cu skip locked),
    changed as (
      update ${members} cu set ${assignments(kind, written)}
      from locked
      where cu.${id} = ${spaceId} and cu.user_id = locked.user_id and (select count(*) from locked) = ${rows.length}::int
      returning cu.user_id)
      ${writeBans(ctx, kind, { spaceId, act, ...(terms && { terms }) })}
      ${kind.alongside({ ...written, spaceId, actorId: actingUserId(ctx) })}
      ${deltaTables(memberDeltas(kind, spaceId, counts), sql`from changed`)},
    ${auditTables(ctx, toActs(kind, { spaceId, act: published, changes }), sql`where exists (select from changed)`)},
    ${eventTables(ctx, [toEvent(kind, { spaceId, act: published, payload })], sql`cross join (select from changed limit 1) done`)}
    select count(*)::int as count from changed`,
  )
  return done?.count === rows.length ? { answer } : undefined
}

/** The rows of the people, each of whom gets one before a ban, and of the caller, in the order of ids. */
export async function lockRows(
  ctx: Ctx,
  kind: SpaceTable,
  { spaceId, userIds, act }: Pick<PeopleAct, 'spaceId' | 'userIds'> & { act: keyof SpaceTable['acts'] },
): Promise<void> {
  if (act === 'banned') await insertRows(ctx, kind, { spaceId, userIds })
  await execute(
    ctx,
    sql`
    select from ${kind.members} cu
    where cu.${kind.id} = ${spaceId} and cu.user_id = any(${[...userIds, actingUserId(ctx) ?? '']})
    order by cu.user_id for no key update`,
  )
}
