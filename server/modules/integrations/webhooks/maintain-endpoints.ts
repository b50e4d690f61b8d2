import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, sql } from '#server/core/db.ts'
import { type Batch, createSetAside } from '#server/core/set-aside.ts'
import { SWITCHED_OFF_AFTER_DAYS } from '#server/modules/integrations/webhooks/schema.ts'
import { recordAudits } from '#server/modules/ledger/audit/record-audit.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'

const DAY_MS = 24 * 3_600_000
/** Longer than any try may take. */
const CUT_OFF_AFTER_MS = 60_000

/** Switches off endpoints that received nothing for five days, and logs it. Returns how many there were. */
export function switchOffFailingEndpoints(ctx: Ctx): Promise<number> {
  return setAside.workBatch(ctx, (batch) => inTransaction(ctx, (ctx) => switchOff(ctx, batch)))
}

const setAside = createSetAside('endpoints')

async function switchOff(ctx: Ctx, batch: Batch): Promise<void> {
  const off = await query<{ endpointId: string; failingSince: Date }>(
    ctx,
    sql`
      select endpoint_id, failing_since from webhook_endpoint
      where disabled_at is null and removed_at is null
        and failing_since <= ${new Date(ctx.now().getTime() - SWITCHED_OFF_AFTER_DAYS * DAY_MS)} and ${batch.isTaken(sql`endpoint_id`)}
      order by endpoint_id for update`,
  )
  const ids = off.map(({ endpointId }) => endpointId)
  batch.take(ids)
  if (ids.length === 0) return
  await execute(
    ctx,
    sql`
      update webhook_endpoint set disabled_at = ${ctx.now()}, disabled_reason = 'failing', version = version + 1, updated_at = ${ctx.now()}
      where endpoint_id = any(${ids}::text[])`,
  )
  const subjects = off.map(({ endpointId }) => ({ subjectType: 'webhook', subjectId: endpointId }))
  await recordAudits(
    ctx,
    off.map(({ endpointId, failingSince }) => ({
      action: 'webhook.switchedOff',
      subjectType: 'webhook',
      subjectId: endpointId,
      after: { reason: 'failing', failingSince: failingSince.toISOString() },
    })),
  )
  for (const subject of subjects)
    await recordEvent(ctx, { ...subject, name: 'desk.webhook.didSwitchOff', payload: {}, isDeskOnly: true })
}

/** Ends attempts whose process died; if it was the last attempt, gives the delivery up. Returns how many. Uses delivery_try_open. */
export async function closeInterruptedAttempts(ctx: Ctx): Promise<number> {
  const startedBefore = new Date(ctx.now().getTime() - CUT_OFF_AFTER_MS)
  const cut = await query(
    ctx,
    sql`
    with cut as (
      update delivery_try set problem = 'interrupted', duration_ms = 0
      where duration_ms is null and started_at < ${startedBefore} returning delivery_id, number, is_last),
    given_up as (
      update delivery d set state = 'failed', finished_at = ${ctx.now()} from cut
      where d.delivery_id = cut.delivery_id and cut.is_last and d.state = 'waiting' and d.tries = cut.number)
    select 1 from cut`,
  )
  return cut.length
}
