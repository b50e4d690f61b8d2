import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { assertEndpointOn } from '#server/modules/integrations/webhooks/assert-endpoint-on.ts'
import { assertMayManageWebhooks } from '#server/modules/integrations/webhooks/assert-may-manage-webhooks.ts'
import { deliveryId, isSubscribed } from '#server/modules/integrations/webhooks/enqueue-deliveries.ts'
import {
  type EndpointOnly,
  REPLAY_LIMIT,
  type Replayed,
  type ReplayRange,
  type SomeDeliveries,
} from '#server/modules/integrations/webhooks/schema.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'

/** Whether delivery `d` isn't in progress. */
const isAtRest = sql`(d.state <> 'waiting' or d.next_try_at is not null)`

/**
 * Sends these again, with their original ids: the sequencer adds them to the queue. A delivery between two attempts is tried at
 * once; one that was given up is tried a few more times. All of these fail with FORBIDDEN without admin MANAGE_CREDENTIALS, and
 * leave out endpoints that are off.
 */
export async function replayDeliveries(ctx: Ctx, { deliveryIds }: SomeDeliveries): Promise<Replayed> {
  assertMayManageWebhooks(ctx)
  return inTransaction(ctx, async (ctx) => {
    const replayed = await sendAgain(ctx, sql`d.delivery_id = any(${deliveryIds}::text[]) and ${isAtRest}`)
    for (const [endpointId, count] of countedBy(replayed)) await logged(ctx, { endpointId, act: 'replayed', count })
    return { count: replayed.length }
  })
}

/** All that failed so far, given up or not, oldest first and at most 10,000 at once. NOT_FOUND if there is no such endpoint. */
export async function replayFailed(ctx: Ctx, { endpointId }: EndpointOnly): Promise<Replayed> {
  assertMayManageWebhooks(ctx)
  return inTransaction(ctx, async (ctx) => {
    await assertEndpointOn(ctx, endpointId)
    const { length: count } = await sendAgain(ctx, sql`d.delivery_id in (${failedAt(endpointId)})`)
    await logged(ctx, { endpointId, act: 'failedReplayed', count })
    return { count }
  })
}

/** How many `replayFailed` would send now. */
export async function countFailed(ctx: Ctx, { endpointId }: EndpointOnly): Promise<Replayed> {
  assertMayManageWebhooks(ctx)
  const failed = await queryOne<Replayed>(ctx, sql`select count(*)::int as count from (${failedAt(endpointId)}) failed`)
  return failed ?? { count: 0 }
}

/** Sends again what could not be signed with the secret before; the endpoint is locked. */
export async function sendUnsignedAgain(ctx: Ctx, endpointId: string): Promise<void> {
  const isUnsigned = sql`exists (
    select from delivery_try t where t.delivery_id = d.delivery_id and t.number = d.tries and t.problem = 'secret')`
  await sendAgain(ctx, sql`d.delivery_id in (${failedAt(endpointId)}) and ${isUnsigned}`)
}

/** Uses delivery_endpoint_id_created_at_delivery_id_idx. */
function failedAt(endpointId: string): Sql {
  return sql`
    select delivery_id from delivery
    where endpoint_id = ${endpointId} and (state = 'failed' or (state = 'waiting' and next_try_at is not null))
    order by created_at, delivery_id limit ${REPLAY_LIMIT}`
}

/**
 * Sends an endpoint the events from one time until before another, including those it missed while it was off.
 * INVALID_PARAMETERS for more than 10,000 events. Uses event_created.
 */
export async function replayRange(ctx: Ctx, { endpointId, from, before }: ReplayRange): Promise<Replayed> {
  assertMayManageWebhooks(ctx)
  return inTransaction(ctx, async (ctx) => {
    await assertEndpointOn(ctx, endpointId)
    const seqs = await findPublished(ctx, { endpointId, from, before })
    const again = await sendAgain(
      ctx,
      sql`d.endpoint_id = ${endpointId} and d.event_seq = any(${seqs}::bigint[]) and ${isAtRest}`,
    )
    const missed = await sendMissed(ctx, endpointId, seqs)
    const count = again.length + missed
    await logged(ctx, { endpointId, act: 'rangeReplayed', count, from, before })
    return { count }
  })
}

/** How many `replayRange` would send now. Fails as it does. */
export async function countRange(ctx: Ctx, range: ReplayRange): Promise<Replayed> {
  assertMayManageWebhooks(ctx)
  const seqs = await findPublished(ctx, range)
  const meant = await queryOne<Replayed>(
    ctx,
    sql`
    select count(*)::int as count from unnest(${seqs}::bigint[]) as published(seq)
    left join delivery d on d.event_seq = published.seq and d.endpoint_id = ${range.endpointId}
    where d.delivery_id is null or ${isAtRest}`,
  )
  return meant ?? { count: 0 }
}

/** The numbers of the events that an endpoint receives. */
async function findPublished(ctx: Ctx, { endpointId, from, before }: ReplayRange): Promise<string[]> {
  const published = await query<{ seq: string }>(
    ctx,
    sql`
    select e.seq::text as seq from event e join webhook_endpoint w on w.endpoint_id = ${endpointId} and ${isSubscribed}
    where e.created_at >= ${from} and e.created_at < ${before} and e.state = 'released' and e.seq is not null and not e.is_desk_only
    limit ${REPLAY_LIMIT + 1}`,
  )
  if (published.length > REPLAY_LIMIT) throw new DomainError('INVALID_PARAMETERS', { limit: REPLAY_LIMIT })
  return published.map(({ seq }) => seq)
}

/**
 * Gives these up for good, so that later deliveries of the same subject continue. Fails as replaying does; deliveries that
 * arrived stay unchanged.
 */
export async function skipDeliveries(ctx: Ctx, { deliveryIds }: SomeDeliveries): Promise<Replayed> {
  assertMayManageWebhooks(ctx)
  return inTransaction(ctx, async (ctx) => {
    const skipped = await query<{ endpointId: string }>(
      ctx,
      sql`
      update delivery set state = 'skipped', queued_at = null, next_try_at = null, finished_at = ${ctx.now()}
      where delivery_id = any(array(
        select delivery_id from delivery
        where delivery_id = any(${deliveryIds}::text[]) and state in ('waiting', 'failed') order by delivery_id for update))
      returning endpoint_id`,
    )
    for (const [endpointId, count] of countedBy(skipped)) await logged(ctx, { endpointId, act: 'skipped', count })
    return { count: skipped.length }
  })
}

/** Locks deliveries in the order of their ids, as `recordAttempts` does. */
function sendAgain(ctx: Ctx, which: Sql): Promise<{ endpointId: string }[]> {
  return query<{ endpointId: string }>(
    ctx,
    sql`
    update delivery set state = 'waiting', queued_at = null, next_try_at = null, finished_at = null
    where delivery_id = any(array(
      select d.delivery_id from delivery d join webhook_endpoint w on w.endpoint_id = d.endpoint_id
      where w.removed_at is null and w.disabled_at is null and ${which} order by d.delivery_id for update of d))
    returning endpoint_id`,
  )
}

async function sendMissed(ctx: Ctx, endpointId: string, seqs: string[]): Promise<number> {
  return execute(
    ctx,
    sql`
    insert into delivery (delivery_id, endpoint_id, event_seq, event_name, subject_type, subject_id, created_at)
    select ${deliveryId(sql`e.seq`)}, ${endpointId}, e.seq, e.name, e.subject_type, e.subject_id, ${ctx.now()}
    from event e where e.seq = any(${seqs}::bigint[])
    on conflict do nothing`,
  )
}

function countedBy(rows: { endpointId: string }[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { endpointId } of rows) counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1)
  return counts
}

interface Logged {
  endpointId: string
  act: string
  count: number
  from?: Date
  before?: Date
}

function logged(ctx: Ctx, { endpointId, act, count, from, before }: Logged): Promise<void> {
  return recordAudit(ctx, {
    action: `webhook.${act}`,
    subjectType: 'webhook',
    subjectId: endpointId,
    after: { count, ...(from && before && { from: from.toISOString(), before: before.toISOString() }) },
  })
}
