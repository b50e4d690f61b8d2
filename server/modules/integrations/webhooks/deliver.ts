import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import type { DeliveryJob, DeliveryQueue } from '#server/modules/integrations/webhooks/delivery-queue.ts'
import { openSecret } from '#server/modules/integrations/webhooks/endpoint-secret.ts'
import { type Outcome, type Outside, postOutside } from '#server/modules/integrations/webhooks/post-outside.ts'
import { signDelivery } from '#server/modules/integrations/webhooks/sign-delivery.ts'
import { bodyOf, webhookIdOf } from '#server/modules/integrations/webhooks/view.ts'

export interface Delivering {
  queue: DeliveryQueue
  /** The key that secrets are sealed with. */
  key: Buffer
  outside: Outside
  stopping: AbortSignal
}

/**
 * Makes one try at a delivery. Its start is stored before anything is sent; its result, what follows and the queue's update are
 * one transaction. If the process dies in between, another one takes over: the delivery may arrive twice, with one id.
 */
export async function deliver(
  ctx: Ctx,
  job: DeliveryJob,
  { queue, key, outside, stopping }: Delivering,
): Promise<void> {
  const at = ctx.now()
  const begun = await begin(ctx, job, at)
  if (begun === undefined) return setAside(ctx, job, queue)

  const body = bodyOf(begun)
  const secrets: [string, ...string[]] = [openSecret(key, begun.secret)]
  if (begun.previousSecret !== null) secrets.push(openSecret(key, begun.previousSecret))
  const headers = signDelivery({ secrets, webhookId: webhookIdOf(begun), at, body })
  const outcome = await postOutside({ url: begun.url, headers, body, stopping }, outside)
  await record(ctx, { job, begun, outcome, queue })
}

interface Begun {
  number: number
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

/** Undefined for what must no longer be sent: it was skipped, its endpoint is off, or its event was deleted. */
function begin(ctx: Ctx, job: DeliveryJob, now: Date): Promise<Begun | undefined> {
  return queryOne<Begun>(
    ctx,
    sql`
    with due as (
      select w.endpoint_id, w.url, w.secret, case when w.previous_until > ${now} then w.previous_secret end as previous_secret,
        e.seq, e.name, e.created_at, e.payload
      from delivery d join webhook_endpoint w on w.endpoint_id = d.endpoint_id join event e on e.seq = d.event_seq
      where d.delivery_id = ${job.id} and d.state = 'waiting' and w.disabled_at is null and w.removed_at is null),
    counted as (
      update delivery set tries = tries + 1, next_try_at = null from due where delivery_id = ${job.id} returning tries),
    tried as (
      insert into delivery_try (delivery_id, number, is_last, started_at)
      select ${job.id}, tries, ${job.isLast}, ${now}::timestamptz from counted)
    select tries as number, endpoint_id as "endpointId", url, secret, previous_secret as "previousSecret", seq::text, name,
      created_at as "happenedAt", payload::text
    from due, counted`,
  )
}

function setAside(ctx: Ctx, job: DeliveryJob, queue: DeliveryQueue): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await execute(
      ctx,
      sql`
      update delivery set state = 'skipped', finished_at = ${ctx.now()}, next_try_at = null
      where delivery_id = ${job.id} and state = 'waiting'`,
    )
    await queue.remove(ctx, [job.id])
  })
}

interface Made {
  job: DeliveryJob
  begun: Begun
  outcome: Outcome
  queue: DeliveryQueue
}

/** A delivery that arrived counts as arrived, even if somebody skipped it at the same time. */
function record(ctx: Ctx, { job, begun, outcome, queue }: Made): Promise<void> {
  const hasArrived = outcome.problem === undefined
  return inTransaction(ctx, async (ctx) => {
    await noteTry(ctx, job, begun, outcome)
    if (hasArrived) {
      await noteArrival(ctx, job, begun)
      await queue.remove(ctx, [job.id])
    } else {
      await noteFailure(ctx, job, begun, await queue.putBack(ctx, job))
    }
  })
}

/** Locks the delivery, as the sequencer does before it updates the queue. */
async function noteTry(ctx: Ctx, job: DeliveryJob, { number }: Begun, outcome: Outcome): Promise<void> {
  const { durationMs, status = null, problem = null, answer = null } = outcome
  await execute(
    ctx,
    sql`
    with locked as (select delivery_id from delivery where delivery_id = ${job.id} for update)
    update delivery_try t set duration_ms = ${durationMs}, status = ${status}, problem = ${problem}::try_problem, answer = ${answer}
    from locked where t.delivery_id = locked.delivery_id and t.number = ${number}`,
  )
}

async function noteArrival(ctx: Ctx, job: DeliveryJob, { endpointId }: Begun): Promise<void> {
  await execute(
    ctx,
    sql`
    with recovered as (
      update webhook_endpoint set failing_since = null where endpoint_id = ${endpointId} and failing_since is not null)
    update delivery set state = 'delivered', finished_at = ${ctx.now()}, next_try_at = null where delivery_id = ${job.id}`,
  )
}

async function noteFailure(ctx: Ctx, job: DeliveryJob, { endpointId }: Begun, nextTryAt: Date | undefined) {
  const now = ctx.now()
  await execute(
    ctx,
    sql`
    with failing as (
      update webhook_endpoint set failing_since = ${now} where endpoint_id = ${endpointId} and failing_since is null)
    update delivery set next_try_at = ${nextTryAt ?? null}::timestamptz,
      state = (case when ${job.isLast} then 'failed' else 'waiting' end)::delivery_state,
      finished_at = (case when ${job.isLast} then ${now}::timestamptz end)
    where delivery_id = ${job.id} and state = 'waiting'`,
  )
}
