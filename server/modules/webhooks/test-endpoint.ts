import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { inTransaction, Prisma, queryOne } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { recordAudit } from '#server/modules/audit/record-audit.ts'
import { recordEvent } from '#server/modules/events/record-event.ts'
import { requireWebhooks } from '#server/modules/webhooks/require-webhooks.ts'
import type { EndpointOnly } from '#server/modules/webhooks/schema.ts'

/**
 * Sends a test event to one endpoint, whatever events it asked for: it goes the way of all others. Fails with FORBIDDEN without admin
 * MANAGE_CREDENTIALS, NOT_FOUND where there is none, CHANGED for one that is off.
 */
export async function testEndpoint(ctx: Ctx, { endpointId }: EndpointOnly): Promise<void> {
  requireWebhooks(ctx)
  return inTransaction(ctx, async (ctx) => {
    const endpoint = await queryOne<{ isOn: boolean }>(
      ctx,
      Prisma.sql`
      select disabled_at is null as "isOn" from webhook_endpoint where endpoint_id = ${endpointId} and removed_at is null for share`,
    )
    if (endpoint === undefined) throw new DomainError('NOT_FOUND')
    if (!endpoint.isOn) throw new DomainError('CHANGED')
    const subject = { subjectType: 'webhook', subjectId: endpointId }
    await recordAudit(ctx, { ...subject, action: 'webhook.tested' })
    const payload = { endpointId, actorId: actingUserId(ctx) ?? actorName(ctx) }
    await recordEvent(ctx, { ...subject, name: 'webhook.didTest', payload })
  })
}
