import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { execute, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { SPACE_JSON, spaceOf } from '#server/modules/review/leases/lease-space.ts'
import { readLease } from '#server/modules/review/leases/list-leases.ts'
import { publishLease } from '#server/modules/review/leases/publish-lease.ts'
import type { HeldLease, Taken } from '#server/modules/review/leases/schema.ts'

/** Two minutes (docs/desk.md#leases). */
const LEASE_MS = 120_000
/** Expired leases are deleted a few rows at a time, by later claims. */
const ROWS_CLEARED = 20

/**
 * Marks an item as being reviewed by the caller: of two concurrent callers one gets the lease, the other learns who holds it.
 * Leases are informational only, so they are neither audited nor events. A caller can take over their own lease from another
 * window. NOT_FOUND for what the caller does not review.
 */
export async function takeLease(ctx: Ctx, subject: Subject): Promise<Taken> {
  const holderId = actingUserId(ctx)
  if (holderId === undefined) throw new DomainError('FORBIDDEN')
  const now = ctx.now()
  const taken = await queryOne<{ token: string | null }>(
    ctx,
    sql`
    with space as materialized (${spaceOf(ctx, subject)}),
    taken as (
      insert into lease as held (subject_type, subject_id, holder_id, taken_at, expires_at)
      select ${subject.subjectType}::subject_type, ${subject.subjectId}, ${holderId}, ${now}, ${expiry(now)} from space
      on conflict (subject_type, subject_id) do update
        set holder_id = excluded.holder_id, token = new_internal_id(), taken_at = excluded.taken_at, expires_at = excluded.expires_at
        where held.expires_at <= ${now} or held.holder_id = excluded.holder_id
      returning token)
    select taken.token, case when taken.token is not null then ${publishTaken(ctx, subject)} end as published
    from space left join taken on true`,
  )
  if (taken === undefined) throw new DomainError('NOT_FOUND')
  if (taken.token !== null) {
    await clearDead(ctx)
    return { isMine: true, token: taken.token, forMs: LEASE_MS }
  }
  const lease = await readLease(ctx, subject)
  return { isMine: false, ...(lease && { lease }) }
}

/** Extends the lease. CHANGED if it has ended or someone else holds it now. */
export async function renewLease(ctx: Ctx, { token, ...subject }: HeldLease): Promise<{ forMs: number }> {
  const now = ctx.now()
  const renewed = await queryOne(
    ctx,
    sql`
    with space as materialized (${spaceOf(ctx, subject)}),
    renewed as (
      update lease set expires_at = ${expiry(now)} from space
      where subject_type = ${subject.subjectType}::subject_type and subject_id = ${subject.subjectId} and token = ${token}
        and expires_at > ${now}
      returning space.community_id, space.channel_id, space.conversation_id)
    select ${publishTaken(ctx, subject)} as published from renewed as space`,
  )
  if (renewed === undefined) throw new DomainError('CHANGED')
  return { forMs: LEASE_MS }
}

const expiry = (now: Date) => new Date(now.getTime() + LEASE_MS)

/** Notifies other processes of the lease, with its space from the row `space`. */
function publishTaken(ctx: Ctx, { subjectType, subjectId }: Subject) {
  const holder = { userId: actingUserId(ctx), displayName: actorName(ctx) }
  const notice = JSON.stringify({ subjectType, subjectId, holder, forMs: LEASE_MS })
  return publishLease(sql`${notice}::jsonb || ${SPACE_JSON}`)
}

/** Uses lease_expires_at_idx. */
async function clearDead(ctx: Ctx): Promise<void> {
  await execute(
    ctx,
    sql`
    delete from lease where (subject_type, subject_id) in (
      select subject_type, subject_id from lease where expires_at <= ${ctx.now()} order by expires_at limit ${ROWS_CLEARED}
      for update skip locked)`,
  )
}
