import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import type { DeliveryJob, DeliveryQueue } from '#server/modules/integrations/webhooks/delivery-queue.ts'
import type { Outcome } from '#server/modules/integrations/webhooks/post-outside.ts'
import type { StartedAttempt } from '#server/modules/integrations/webhooks/start-attempts.ts'

export interface FinishedAttempt {
  job: DeliveryJob
  begun: Pick<StartedAttempt, 'number' | 'endpointId'>
  outcome: Outcome
}

/**
 * Stores the results of attempts, what follows from them, and the queue's update, in one transaction. Locks endpoints, then deliveries,
 * each in the order of their ids, before it changes the jobs, as everything does that changes several of them. Names the ids for each table,
 * so that only their partitions are read.
 */
export function recordAttempts(ctx: Ctx, queue: DeliveryQueue, tries: FinishedAttempt[]): Promise<void> {
  const arrived = tries.filter(hasArrived)
  const failed = tries.filter((ended) => !hasArrived(ended))
  return inTransaction(ctx, async (ctx) => {
    await recordEndpoints(ctx, { arrived, failed })
    await recordOutcomes(ctx, { tries, arrived })
    await queue.remove(ctx, idsOf(arrived))
    if (failed.length > 0) await recordFailures(ctx, queue, failed)
  })
}

function hasArrived({ outcome }: FinishedAttempt): boolean {
  return outcome.problem === undefined
}

/** An endpoint that received anything at the same time is not failing. */
async function recordEndpoints(
  ctx: Ctx,
  { arrived, failed }: { arrived: FinishedAttempt[]; failed: FinishedAttempt[] },
): Promise<void> {
  const isWorking = sql`endpoint_id = any(${endpointsOf(arrived)}::text[])`
  const isFailing = sql`endpoint_id = any(${endpointsOf(failed)}::text[])`
  await execute(
    ctx,
    sql`
    update webhook_endpoint set failing_since = case when not ${isWorking} then ${ctx.now()}::timestamptz end
    where endpoint_id = any(array(
      select endpoint_id from webhook_endpoint
      where case when ${isWorking} then failing_since is not null else ${isFailing} and failing_since is null end
      order by endpoint_id for no key update))`,
  )
}

/** A delivery that arrived counts as arrived, even if somebody skipped it at the same time. */
async function recordOutcomes(
  ctx: Ctx,
  { tries, arrived }: { tries: FinishedAttempt[]; arrived: FinishedAttempt[] },
): Promise<void> {
  const outcomes = tries.map(({ outcome }) => outcome)
  await execute(
    ctx,
    sql`
    with locked as (
      select delivery_id from delivery where delivery_id = any(${idsOf(tries)}::text[]) order by delivery_id for update),
    tried as (
      update delivery_try t set duration_ms = ended.duration_ms, status = ended.status, problem = ended.problem, answer = ended.answer
      from locked, unnest(${idsOf(tries)}::text[], ${tries.map(({ begun }) => begun.number)}::int[],
        ${outcomes.map(({ durationMs }) => durationMs)}::int[], ${outcomes.map(({ status = null }) => status)}::int[],
        ${outcomes.map(({ problem = null }) => problem)}::try_problem[], ${outcomes.map(({ answer = null }) => answer)}::text[])
        as ended(delivery_id, number, duration_ms, status, problem, answer)
      where ended.delivery_id = locked.delivery_id and t.delivery_id = ended.delivery_id and t.number = ended.number
        and t.delivery_id = any(${idsOf(tries)}::text[]))
    update delivery d set state = 'delivered', finished_at = ${ctx.now()}, next_try_at = null
    from locked where d.delivery_id = locked.delivery_id and d.delivery_id = any(${idsOf(arrived)}::text[])`,
  )
}

async function recordFailures(ctx: Ctx, queue: DeliveryQueue, failed: FinishedAttempt[]): Promise<void> {
  const jobs = failed.map(({ job }) => job)
  const nextTries = await queue.putBack(ctx, jobs)
  await execute(
    ctx,
    sql`
    update delivery d set next_try_at = failed.next_try_at,
      state = (case when failed.is_last then 'failed' else 'waiting' end)::delivery_state,
      finished_at = case when failed.is_last then ${ctx.now()}::timestamptz end
    from unnest(${idsOf(failed)}::text[], ${jobs.map(({ isLast }) => isLast)}::boolean[],
      ${jobs.map(({ id }) => nextTries.get(id) ?? null)}::timestamptz[]) as failed(delivery_id, is_last, next_try_at)
    where d.delivery_id = failed.delivery_id and d.delivery_id = any(${idsOf(failed)}::text[]) and d.state = 'waiting'`,
  )
}

function idsOf(tries: FinishedAttempt[]): string[] {
  return tries.map(({ job }) => job.id)
}

function endpointsOf(tries: FinishedAttempt[]): string[] {
  return [...new Set(tries.map(({ begun }) => begun.endpointId))]
}
