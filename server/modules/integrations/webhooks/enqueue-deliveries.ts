import { BATCH_SIZE } from '#server/core/batch-size.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { execute, query, type Sql, sql } from '#server/core/db.ts'
import { type Batch, createSetAside } from '#server/core/set-aside.ts'
import type { DeliveryQueue, QueuedDelivery } from '#server/modules/integrations/webhooks/delivery-queue.ts'
import type { DeliveryState } from '#server/modules/integrations/webhooks/schema.ts'
import { NAMED_EVENTS } from '#server/modules/ledger/events/schema.ts'
import { whileAlone } from '#server/modules/ledger/while-alone.ts'

/**
 * Creates a delivery of each of these events for each subscribed endpoint, in the transaction that releases them. Ids grow with
 * the event numbers: the queue orders jobs that were added together by id.
 */
export async function createDeliveries(ctx: Ctx, seqs: string[]): Promise<void> {
  if (seqs.length === 0) return
  await execute(
    ctx,
    sql`
    insert into delivery (delivery_id, endpoint_id, event_seq, event_name, subject_type, subject_id, created_at)
    select ${deliveryId(sql`e.seq`)}, w.endpoint_id, e.seq, e.name, e.subject_type, e.subject_id, ${ctx.now()}
    from webhook_endpoint w join event e on ${isSubscribed}
    where e.seq = any(${seqs}::bigint[]) and w.disabled_at is null and w.removed_at is null
    on conflict do nothing`,
  )
}

export function deliveryId(seq: Sql): Sql {
  return sql`(lpad(to_hex(${seq}), 16, '0') || right(replace(gen_random_uuid()::text, '-', ''), 16))::uuid::text`
}

/** Whether endpoint `w` receives event `e`: events it subscribes to, and tests meant for it. Some have to be named, and aren't among all events. */
export const isSubscribed = sql`(case e.name when 'webhook.didTest' then e.subject_id = w.endpoint_id
  else w.events = '{}' and e.name <> all(${[...NAMED_EVENTS]}::text[]) or e.name = any(w.events) end)`

/** Notified when the queue was updated. */
export const DELIVERIES_CHANNEL = 'docket_deliveries'

interface UnqueuedDelivery extends QueuedDelivery {
  state: DeliveryState
  tries: number
}

/** A delivery that fails is set aside with all others of its endpoint and subject: none of them may overtake it. */
const setAside = createSetAside('queueing deliveries')

const lineOf = ({ endpointId, subjectType, subjectId }: QueuedDelivery) => `${endpointId} ${subjectType} ${subjectId}`
const LINE = sql`concat(endpoint_id, ' ', subject_type, ' ', subject_id)`

/**
 * Updates the queue with deliveries that are new, to be sent again, or skipped, in one process at a time. Returns how many. The queue orders by
 * the time of the transaction: one that began before the last update would put later events first, so it updates nothing.
 */
export function enqueueDeliveries(ctx: Ctx, queue: DeliveryQueue): Promise<number> {
  return setAside.workBatch(ctx, async (batch) => {
    await whileAlone(ctx, 'deliveries', (ctx) => enqueueBatch(ctx, queue, batch))
  })
}

/** Uses delivery_queued_at_event_seq_idx. Locks deliveries in the order of their ids, as `recordAttempts` does. */
async function enqueueBatch(ctx: Ctx, queue: DeliveryQueue, batch: Batch): Promise<void> {
  const unqueued = await query<UnqueuedDelivery>(
    ctx,
    sql`
    select delivery_id, endpoint_id, subject_type, subject_id, state, tries from delivery
    where now() > coalesce((select max(queued_at) from delivery), '-infinity') and delivery_id = any(array(
      select delivery_id from delivery where queued_at is null and ${batch.isTaken(LINE)} order by event_seq limit ${BATCH_SIZE}))
    order by delivery_id for update`,
  )
  if (unqueued.length === 0) return
  batch.take(unqueued.map(lineOf))
  const idsOf = (deliveries: UnqueuedDelivery[]) => deliveries.map(({ deliveryId }) => deliveryId)
  await execute(ctx, sql`update delivery set queued_at = now() where delivery_id = any(${idsOf(unqueued)})`)
  const waiting = unqueued.filter(({ state }) => state === 'waiting')
  await queue.remove(ctx, idsOf(unqueued.filter(({ state }) => state !== 'waiting')))
  await queue.tryAgain(ctx, idsOf(waiting.filter(({ tries }) => tries > 0)))
  await queue.add(ctx, waiting)
  // Reaches the processes that deliver when the transaction commits.
  await execute(ctx, sql`select pg_notify(${DELIVERIES_CHANNEL}, '')`)
}

/** Whether there is anything to update; uses delivery_queued_at_event_seq_idx. */
export const hasUnqueuedDeliveries = sql`exists (select from delivery where queued_at is null)`
