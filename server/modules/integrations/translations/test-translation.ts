import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { readPreferences } from '#server/modules/accounts/preferences/read-preferences.ts'
import { askService } from '#server/modules/integrations/translations/ask-service.ts'
import type { TranslationTest } from '#server/modules/integrations/translations/schema.ts'
import type { TranslationParts } from '#server/modules/integrations/translations/translation-parts.ts'
import { readService } from '#server/modules/integrations/translations/translation-service.ts'
import { recordAct } from '#server/modules/integrations/translations/translation-settings.ts'
import { assertMayManageWebhooks } from '#server/modules/integrations/webhooks/assert-may-manage-webhooks.ts'

const EXAMPLE = 'Ceci est un exemple.'

/**
 * Has the service translate an example of Docket's own, also while translation is off, and says how that went. FORBIDDEN without admin MANAGE_CREDENTIALS, NOT_FOUND
 * without a service.
 */
export async function testTranslation(ctx: Ctx, parts: TranslationParts): Promise<TranslationTest> {
  assertMayManageWebhooks(ctx)
  const { language: target = 'en' } = await readPreferences(ctx)
  const service = await inTransaction(ctx, async (ctx) => {
    const service = await readService(ctx, parts)
    if (service === undefined) throw new DomainError('NOT_FOUND')
    await recordAct(ctx, 'tested')
    return service
  })
  const { language: _, ...answered } = await askService(service, { text: EXAMPLE, target }, parts)
  return answered
}
