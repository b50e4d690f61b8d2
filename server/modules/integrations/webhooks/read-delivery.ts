import type { Ctx } from '#server/core/ctx.ts'
import { query, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { assertMayManageWebhooks } from '#server/modules/integrations/webhooks/assert-may-manage-webhooks.ts'
import { deliveryColumns, deliveryTables } from '#server/modules/integrations/webhooks/delivery-rows.ts'
import type {
  DeliveryAttempt,
  DeliveryDetail,
  DeliveryInput,
  TryProblem,
} from '#server/modules/integrations/webhooks/schema.ts'
import { headersOf } from '#server/modules/integrations/webhooks/sign-delivery.ts'
import { bodyOf, type DeliveryRow, toDelivery } from '#server/modules/integrations/webhooks/view.ts'

const TRIES_SHOWN = 100

/** One delivery with its content and all its attempts. Fails with FORBIDDEN without admin MANAGE_CREDENTIALS, NOT_FOUND. */
export async function readDelivery(ctx: Ctx, { deliveryId }: DeliveryInput): Promise<DeliveryDetail> {
  assertMayManageWebhooks(ctx)
  const [row, tries] = await Promise.all([
    queryOne<DeliveryRow & { payload: string | null; nextTryAt: Date | null }>(
      ctx,
      sql`
      select ${deliveryColumns}, e.payload::text, d.next_try_at ${deliveryTables}
      where d.delivery_id = ${deliveryId} and w.removed_at is null`,
    ),
    readTries(ctx, deliveryId),
  ])
  if (row === undefined) throw new DomainError('NOT_FOUND')
  const { payload, nextTryAt, ...rest } = row
  const delivery = toDelivery(rest)
  return {
    ...delivery,
    ...(payload !== null && { body: bodyOf({ name: delivery.event, payload }) }),
    ...(rest.lastTryAt !== null && { headers: headersOf({ webhookId: delivery.webhookId, at: rest.lastTryAt }) }),
    ...(nextTryAt !== null && { nextTryAt: nextTryAt.toISOString() }),
    made: tries,
  }
}

interface TryRow {
  number: number
  startedAt: Date
  durationMs: number | null
  status: number | null
  problem: TryProblem | null
  answer: string | null
}

/** Uses delivery_try_pkey. */
async function readTries(ctx: Ctx, deliveryId: string): Promise<DeliveryAttempt[]> {
  const rows = await query<TryRow>(
    ctx,
    sql`
    select number, started_at, duration_ms, status, problem, answer
    from delivery_try where delivery_id = ${deliveryId} order by number desc limit ${TRIES_SHOWN}`,
  )
  return rows.map(({ number, startedAt, durationMs, status, problem, answer }) => ({
    number,
    startedAt: startedAt.toISOString(),
    ...(durationMs !== null && { durationMs }),
    ...(status !== null && { status }),
    ...(problem !== null && { problem }),
    ...(answer !== null && { answer }),
  }))
}
