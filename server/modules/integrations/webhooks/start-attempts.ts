import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, sql } from '#server/core/db.ts'
import type { DeliveryJob, DeliveryQueue } from '#server/modules/integrations/webhooks/delivery-queue.ts'

/** An attempt whose start is stored, with all that is needed to send it. */
export interface StartedAttempt {
  deliveryId: string
  number: number
  startedAt: Date
  endpointId: string
  url: string
  secret: Uint8Array
  /** The previous secret, while it is still valid. */
  previousSecret: Uint8Array | null
  seq: string
  name: string
  happenedAt: Date
  payload: string
}

/**
 * Stores the start of an attempt for each of these jobs. Undefined for what must no longer be sent: it was skipped, its endpoint is off,
 * or its event was deleted; its job is removed. Locks deliveries in the order of their ids, as everything does that changes many; names the
 * ids for each table, so that only their partitions are read.
 */
export async function startAttempts(
  ctx: Ctx,
  queue: DeliveryQueue,
  jobs: DeliveryJob[],
): Promise<(StartedAttempt | undefined)[]> {
  const begun = await storeStarts(ctx, jobs)
  const byId = new Map(begun.map((one) => [one.deliveryId, one]))
  const unsent = jobs.filter(({ id }) => !byId.has(id)).map(({ id }) => id)
  if (unsent.length > 0) await setAside(ctx, queue, unsent)
  return jobs.map(({ id }) => byId.get(id))
}

function storeStarts(ctx: Ctx, jobs: DeliveryJob[]): Promise<StartedAttempt[]> {
  const now = ctx.now()
  const ids = jobs.map(({ id }) => id)
  return query<StartedAttempt>(
    ctx,
    sql`
    with due as (
      select delivery_id from delivery
      where delivery_id = any(${ids}::text[]) and state = 'waiting' order by delivery_id for update),
    begun as (
      update delivery d set tries = d.tries + 1, next_try_at = null
      from due, unnest(${ids}::text[], ${jobs.map(({ isLast }) => isLast)}::boolean[]) as job(delivery_id, is_last),
        webhook_endpoint w, event e
      where d.delivery_id = due.delivery_id and d.delivery_id = any(${ids}::text[]) and job.delivery_id = d.delivery_id and e.seq = d.event_seq
        and w.endpoint_id = d.endpoint_id and w.disabled_at is null and w.removed_at is null
      returning d.delivery_id, d.tries as number, job.is_last, w.endpoint_id, w.url, w.secret,
        case when w.previous_until > ${now} then w.previous_secret end as previous_secret,
        e.seq::text, e.name, e.created_at as happened_at, e.payload::text),
    tried as (
      insert into delivery_try (delivery_id, number, is_last, started_at)
      select delivery_id, number, is_last, ${now}::timestamptz from begun)
    select *, ${now}::timestamptz as started_at from begun`,
  )
}

function setAside(ctx: Ctx, queue: DeliveryQueue, ids: string[]): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await execute(
      ctx,
      sql`
      update delivery set state = 'skipped', finished_at = ${ctx.now()}, next_try_at = null
      where delivery_id = any(array(
        select delivery_id from delivery
        where delivery_id = any(${ids}::text[]) and state = 'waiting' order by delivery_id for update))`,
    )
    await queue.remove(ctx, ids)
  })
}
