import type { Ctx } from '#server/core/ctx.ts'
import { type ListOrder, pageClauses, readPageRequest, toPage } from '#server/core/database/keyset.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { assertMayManageWebhooks } from '#server/modules/integrations/webhooks/assert-may-manage-webhooks.ts'
import { deliveryColumns, deliveryTables } from '#server/modules/integrations/webhooks/delivery-rows.ts'
import type { DeliveriesInput, DeliveriesPage } from '#server/modules/integrations/webhooks/schema.ts'
import { type DeliveryRow, toDelivery } from '#server/modules/integrations/webhooks/view.ts'

const NEWEST_FIRST: ListOrder = {
  first: { column: sql`d.created_at`, isDescending: true, type: 'timestamptz' },
  tie: { column: sql`d.delivery_id`, isDescending: true },
}

/**
 * Deliveries, newest first. Fails with FORBIDDEN without admin MANAGE_CREDENTIALS, INVALID_REQUEST for an invalid cursor. Uses
 * the index of the given filters: delivery_subject, delivery_endpoint_id_created_at_delivery_id_idx, that by state or by event
 * name, else that by time.
 */
export async function listDeliveries(ctx: Ctx, input: DeliveriesInput): Promise<DeliveriesPage> {
  assertMayManageWebhooks(ctx)
  const page = { ...readPageRequest({ token: input.cursor }, input.limit), limit: input.limit }
  const { where, orderBy, limit } = pageClauses(NEWEST_FIRST, page)
  const found = await query<DeliveryRow>(
    ctx,
    sql`
    select ${deliveryColumns} ${deliveryTables} where ${sql.join(conditionsOf(input), ' and ')} and ${where}
    order by ${orderBy} ${limit}`,
  )
  const { rows, paging } = toPage(found, page, ({ createdAt, deliveryId }) => [timestampOf(createdAt), deliveryId])
  return {
    deliveries: rows.map(toDelivery),
    ...(paging.next !== undefined && { next: paging.next }),
    ...(paging.previous !== undefined && { previous: paging.previous }),
  }
}

function conditionsOf({ endpointId, state, event, subjectId, from, before }: DeliveriesInput): Sql[] {
  return [
    sql`w.removed_at is null`,
    ...(endpointId === undefined ? [] : [sql`d.endpoint_id = ${endpointId}`]),
    ...(state === undefined ? [] : [sql`d.state = ${state}::delivery_state`]),
    ...(event === undefined ? [] : [sql`d.event_name = ${event}`]),
    ...(subjectId === undefined
      ? []
      : [sql`hashtextextended(d.subject_id, 0) = hashtextextended(${subjectId}, 0) and d.subject_id = ${subjectId}`]),
    ...(from === undefined ? [] : [sql`d.created_at >= ${from}`]),
    ...(before === undefined ? [] : [sql`d.created_at < ${before}`]),
  ]
}
