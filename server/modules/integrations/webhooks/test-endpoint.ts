import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import { assertEndpointOn } from '#server/modules/integrations/webhooks/assert-endpoint-on.ts'
import { assertMayManageWebhooks } from '#server/modules/integrations/webhooks/assert-may-manage-webhooks.ts'
import { readDelivery } from '#server/modules/integrations/webhooks/read-delivery.ts'
import type { DeliveryDetail, EndpointOnly, Tested, TestInput } from '#server/modules/integrations/webhooks/schema.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'

/**
 * Sends a test event to one endpoint, whatever it subscribes to: through the normal queue, replacing earlier tests that did not
 * arrive. Fails with FORBIDDEN without admin MANAGE_CREDENTIALS, NOT_FOUND if it does not exist, CHANGED for one that is off.
 */
export async function testEndpoint(ctx: Ctx, { endpointId }: EndpointOnly): Promise<Tested> {
  assertMayManageWebhooks(ctx)
  return inTransaction(ctx, async (ctx) => {
    await assertEndpointOn(ctx, endpointId)
    const subject = { subjectType: 'webhook', subjectId: endpointId }
    await recordAudit(ctx, { ...subject, action: 'webhook.tested' })
    const payload = { endpointId, actorId: actingUserId(ctx) ?? actorName(ctx) }
    await skipEarlier(ctx, endpointId)
    const { eventId } = await recordEvent(ctx, { ...subject, name: 'webhook.didTest', payload })
    return { eventId }
  })
}

/** The result of a test; empty before the sequencer has processed it. Fails with FORBIDDEN without admin MANAGE_CREDENTIALS. */
export async function readTest(ctx: Ctx, { eventId }: TestInput): Promise<{ delivery?: DeliveryDetail }> {
  assertMayManageWebhooks(ctx)
  const made = await queryOne<{ deliveryId: string }>(
    ctx,
    sql`
    select d.delivery_id from event e join delivery d on d.event_seq = e.seq
    where e.event_id = ${eventId}::bigint and e.name = 'webhook.didTest'`,
  )
  return made === undefined ? {} : { delivery: await readDelivery(ctx, made) }
}

/** Deliveries of one subject wait for each other: a test must not wait for failed ones. Uses delivery_subject. */
async function skipEarlier(ctx: Ctx, endpointId: string): Promise<void> {
  await execute(
    ctx,
    sql`
    update delivery set state = 'skipped', queued_at = null, next_try_at = null, finished_at = ${ctx.now()}
    where hashtextextended(subject_id, 0) = hashtextextended(${endpointId}, 0) and subject_id = ${endpointId}
      and endpoint_id = ${endpointId} and event_name = 'webhook.didTest' and state in ('waiting', 'failed')`,
  )
}
