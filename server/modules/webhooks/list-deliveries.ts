import { z } from 'zod'
import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, query } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { fromCursor, toCursor } from '#server/core/paging.ts'
import { deliveryColumns, deliveryTables } from '#server/modules/webhooks/delivery-rows.ts'
import { requireWebhooks } from '#server/modules/webhooks/require-webhooks.ts'
import type { DeliveriesInput, DeliveriesPage } from '#server/modules/webhooks/schema.ts'
import { type DeliveryRow, toDelivery } from '#server/modules/webhooks/view.ts'

const Cursor = z.object({ at: z.iso.datetime(), id: z.string().max(36) })

/**
 * Deliveries, newest first. Fails with FORBIDDEN without admin MANAGE_CREDENTIALS. Uses the index of the first filter that is
 * given: delivery_endpoint_id_created_at_delivery_id_idx, that by state or by event name, else that by time.
 */
export async function listDeliveries(ctx: Ctx, input: DeliveriesInput): Promise<DeliveriesPage> {
  requireWebhooks(ctx)
  const rows = await query<DeliveryRow>(
    ctx,
    Prisma.sql`
    select ${deliveryColumns} ${deliveryTables} where ${Prisma.join(conditionsOf(input), ' and ')}
    order by d.created_at desc, d.delivery_id desc limit ${input.limit + 1}`,
  )
  const deliveries = rows.slice(0, input.limit).map(toDelivery)
  const last = deliveries.at(-1)
  const hasNext = rows.length > input.limit && last !== undefined
  return { deliveries, ...(hasNext && { next: toCursor({ at: last.createdAt, id: last.deliveryId }) }) }
}

function conditionsOf({ endpointId, state, event, from, before, cursor }: DeliveriesInput): Prisma.Sql[] {
  const after = cursor === undefined ? undefined : fromCursor(cursor, Cursor)
  if (cursor !== undefined && after === undefined)
    throw new DomainError('INVALID_PARAMETERS', { detail: ['cursor: does not decode'] })
  return [
    Prisma.sql`w.removed_at is null`,
    ...(endpointId === undefined ? [] : [Prisma.sql`d.endpoint_id = ${endpointId}`]),
    ...(state === undefined ? [] : [Prisma.sql`d.state = ${state}::delivery_state`]),
    ...(event === undefined ? [] : [Prisma.sql`d.event_name = ${event}`]),
    ...(from === undefined ? [] : [Prisma.sql`d.created_at >= ${from}`]),
    ...(before === undefined ? [] : [Prisma.sql`d.created_at < ${before}`]),
    ...(after === undefined
      ? []
      : [Prisma.sql`(d.created_at, d.delivery_id) < (${new Date(after.at)}::timestamptz, ${after.id}::text)`]),
  ]
}
