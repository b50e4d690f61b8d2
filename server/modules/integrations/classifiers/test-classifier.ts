import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { type Asked, askClassifier } from '#server/modules/integrations/classifiers/ask-classifier.ts'
import type { ClassifiedKind, ClassifierOnly, ExampleAnswer } from '#server/modules/integrations/classifiers/schema.ts'
import { assertMayManageWebhooks } from '#server/modules/integrations/webhooks/assert-may-manage-webhooks.ts'
import { openOutsideConnections } from '#server/modules/integrations/webhooks/outside-connections.ts'
import type { WebhookSettings } from '#server/modules/integrations/webhooks/webhook-settings.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'

const EXAMPLE = 'This is an example that Docket sends to try a classifier.'

/**
 * Asks a classifier about an example, also one that is off, and answers what it said. Nothing is stored, and its breaker stays as it is. Fails
 * with FORBIDDEN without admin MANAGE_CREDENTIALS, NOT_FOUND.
 */
export async function testClassifier(
  ctx: Ctx,
  { classifierId }: ClassifierOnly,
  { key, allowsLoopback }: WebhookSettings,
): Promise<ExampleAnswer> {
  assertMayManageWebhooks(ctx)
  const asked = await inTransaction(ctx, async (ctx) => {
    const found = await queryOne<Asked & { kinds: ClassifiedKind[] }>(
      ctx,
      sql`
      select url, secret, deadline_ms, kinds::text[] as kinds from classifier
      where classifier_id = ${classifierId} and removed_at is null`,
    )
    if (found === undefined) throw new DomainError('NOT_FOUND')
    await recordAudit(ctx, { action: 'classifier.tested', subjectType: 'classifier', subjectId: classifierId })
    return found
  })
  const connections = openOutsideConnections()
  const {
    kinds: [subjectType = 'comment'],
  } = asked
  const content = {
    communityId: null,
    userId: actingUserId(ctx) ?? 'example',
    data: { text: EXAMPLE },
    createdAt: ctx.now(),
    editedAt: null,
  }
  const stopping = new AbortController().signal
  const outside = { allowsLoopback }
  try {
    const { signals, ...outcome } = await askClassifier(asked, [{ subjectType, subjectId: 'example', content }], {
      key,
      outside,
      connections,
      now: ctx.now,
      stopping,
    })
    return { ...outcome, signals: signals[0] ?? [] }
  } finally {
    connections.close()
  }
}
