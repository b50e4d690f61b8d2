import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import type {
  SwitchTranslation,
  TranslationChange,
  TranslationSettings,
} from '#server/modules/integrations/translations/schema.ts'
import type { TranslationParts } from '#server/modules/integrations/translations/translation-parts.ts'
import { assertAddress, inLog } from '#server/modules/integrations/webhooks/assert-address.ts'
import { assertMayManageWebhooks } from '#server/modules/integrations/webhooks/assert-may-manage-webhooks.ts'
import { sealSecret } from '#server/modules/integrations/webhooks/endpoint-secret.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'

interface SettingsRow {
  version: number
  isOn: boolean
  url: string | null
  hasApiKey: boolean
}

/** Which service translates, never with its API key. All of these fail with FORBIDDEN without admin MANAGE_CREDENTIALS. */
export async function readTranslationSettings(
  ctx: Ctx,
  { service }: Pick<TranslationParts, 'service'>,
): Promise<TranslationSettings> {
  assertMayManageWebhooks(ctx)
  const row = await queryOne<SettingsRow>(
    ctx,
    sql`select version, is_on, url, api_key is not null as has_api_key from translation_settings`,
  )
  if (row === undefined) throw new Error('the network has no settings of translation')
  const { version, isOn, url, hasApiKey } = row
  const own = url === null ? undefined : { url, hasApiKey }
  const shown = service ? { url: service.url, hasApiKey: service.apiKey !== undefined } : own
  return { version, isOn, isFromEnvironment: service !== undefined, ...(shown && { service: shown }) }
}

/**
 * Sets the service, or removes it and turns translation off. CHANGED if the settings have changed since they were read, FORBIDDEN where the environment names the
 * service, INVALID_PARAMETERS for an address that could never be posted to. A stored API key is never sent to another address than the one it was entered with.
 */
export async function changeTranslation(
  ctx: Ctx,
  { version, service }: TranslationChange,
  parts: TranslationParts,
): Promise<TranslationSettings> {
  assertMayManageWebhooks(ctx)
  if (parts.service !== undefined) throw new DomainError('FORBIDDEN')
  if (service !== null) assertAddress(service.url, parts)
  const { url = null, apiKey } = service ?? { apiKey: null }
  const sealed = typeof apiKey === 'string' ? sealSecret(parts.key, apiKey) : null
  return inTransaction(ctx, async (ctx) => {
    const changed = await execute(
      ctx,
      sql`
      update translation_settings set url = ${url},
        api_key = case when ${apiKey === undefined} and url = ${url} then api_key else ${sealed}::bytea end,
        is_on = is_on and ${url !== null}, ${touched(ctx)}
      where version = ${version}`,
    )
    if (changed === 0) throw new DomainError('CHANGED')
    await recordAct(ctx, 'changed', inLog({ url: url ?? undefined, hasNewApiKey: sealed !== null }))
    return readTranslationSettings(ctx, parts)
  })
}

/** Sets whether texts may be sent to the service. NOT_FOUND without one, CHANGED if the settings have changed since they were read. */
export async function switchTranslation(
  ctx: Ctx,
  { version, isOn }: SwitchTranslation,
  parts: TranslationParts,
): Promise<TranslationSettings> {
  assertMayManageWebhooks(ctx)
  return inTransaction(ctx, async (ctx) => {
    const { service } = await readTranslationSettings(ctx, parts)
    if (isOn && service === undefined) throw new DomainError('NOT_FOUND')
    const changed = await execute(
      ctx,
      sql`update translation_settings set is_on = ${isOn}, ${touched(ctx)} where version = ${version}`,
    )
    if (changed === 0) throw new DomainError('CHANGED')
    await recordAct(ctx, isOn ? 'switchedOn' : 'switchedOff', inLog({ url: service?.url }))
    return readTranslationSettings(ctx, parts)
  })
}

const touched = (ctx: Ctx) =>
  sql`version = version + 1, updated_at = ${ctx.now()}, updated_by = ${actingUserId(ctx) ?? actorName(ctx)}`

/** Never a key. */
export function recordAct(
  ctx: Ctx,
  act: 'changed' | 'switchedOn' | 'switchedOff' | 'tested',
  after?: Record<string, unknown>,
): Promise<void> {
  return recordAudit(ctx, {
    action: `translation.${act}`,
    subjectType: 'translation',
    subjectId: 'network',
    ...(after && { after }),
  })
}
