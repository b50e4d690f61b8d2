import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import type { TranslationParts } from '#server/modules/integrations/translations/translation-parts.ts'
import { openedSecret } from '#server/modules/integrations/webhooks/endpoint-secret.ts'

/** The service as it is asked. */
export interface TranslationService {
  url: string
  /** `unreadable`: DOCKET_SECRET has changed since it was entered. */
  apiKey: string | undefined | { isUnreadable: true }
  /** Set by the operator, who may name a service of their own network. */
  isTrusted: boolean
  /** Whether texts may be sent to it. */
  isOn: boolean
}

/** The service of the environment, else that of the settings; undefined if there is none. */
export async function readService(
  ctx: Ctx,
  { service, key }: Pick<TranslationParts, 'service' | 'key'>,
): Promise<TranslationService | undefined> {
  const row = await queryOne<{ url: string | null; apiKey: Uint8Array | null; isOn: boolean }>(
    ctx,
    sql`select url, api_key, is_on from translation_settings`,
  )
  if (row === undefined) throw new Error('the network has no settings of translation')
  const { url, apiKey, isOn } = row
  if (service !== undefined) return { ...service, isTrusted: true, isOn }
  if (url === null) return undefined
  const opened = apiKey === null ? undefined : (openedSecret(key, apiKey) ?? ({ isUnreadable: true } as const))
  return { url, apiKey: opened, isTrusted: false, isOn }
}
