import type { Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { assertMayManageWebhooks } from '#server/modules/integrations/webhooks/assert-may-manage-webhooks.ts'
import type { Endpoint } from '#server/modules/integrations/webhooks/schema.ts'
import { type EndpointRow, toEndpoint } from '#server/modules/integrations/webhooks/view.ts'

/** The endpoints, in the order they were added, each with its health. Fails with FORBIDDEN without admin MANAGE_CREDENTIALS. */
export async function listEndpoints(ctx: Ctx): Promise<Endpoint[]> {
  assertMayManageWebhooks(ctx)
  const rows = await readRows(ctx, sql`true`)
  return rows.map((row) => toEndpoint(row, ctx.now()))
}

/** An endpoint that was just changed. */
export async function answerEndpoint(ctx: Ctx, endpointId: string): Promise<Endpoint> {
  const [row] = await readRows(ctx, sql`w.endpoint_id = ${endpointId}`)
  if (row === undefined) throw new DomainError('NOT_FOUND')
  return toEndpoint(row, ctx.now())
}

/** Counts stop at the number that the page shows. Uses delivery_endpoint_id_created_at_delivery_id_idx, delivery_arrived. */
function readRows(ctx: Ctx, which: Sql): Promise<EndpointRow[]> {
  const count = (state: 'waiting' | 'failed') => sql`(
    select count(*)::int from (
      select from delivery d where d.state = ${state}::delivery_state and d.endpoint_id = w.endpoint_id limit ${COUNTED}) counted)`
  return query<EndpointRow>(
    ctx,
    sql`
    select w.endpoint_id, w.version, w.url, w.description, w.events, w.disabled_at,
      w.disabled_reason, w.failing_since, w.previous_until,
      ${count('waiting')} as waiting, ${count('failed')} as failed, t.started_at as last_try_at, t.status as last_status,
      t.problem as last_problem,
      (select max(d.finished_at) from delivery d where d.endpoint_id = w.endpoint_id and d.state = 'delivered') as last_arrived_at, w.created_at
    from webhook_endpoint w
    left join lateral (
      select made.* from (
        select delivery_id from delivery d where d.endpoint_id = w.endpoint_id and d.tries > 0
        order by d.created_at desc, d.delivery_id desc limit 1) latest
      join delivery_try made using (delivery_id) order by made.number desc limit 1) t on true
    where w.removed_at is null and ${which}
    order by w.created_at, w.endpoint_id`,
  )
}

const COUNTED = 10_000
