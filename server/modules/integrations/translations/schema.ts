import { z } from 'zod'
import { text, webAddress } from '#server/core/text.ts'
import { Version } from '#server/core/wire/schema.ts'
import type { TryProblem } from '#server/modules/integrations/webhooks/schema.ts'
import { ItemInput } from '#server/modules/review/items/schema.ts'

/** Of one text, in UTF-16 units; of a longer one, the beginning is translated. */
export const TRANSLATED_LENGTH = 5_000
/** How many texts one person has the service translate in a minute. */
export const TRANSLATIONS_A_MINUTE = 30

/** The service, by the address that `/translate` is below. Without `apiKey` the stored one stays, unless the address is another one. Null removes both. */
export const TranslationChange = z.object({
  version: Version,
  service: z
    .object({ url: webAddress({ max: 2_000 }), apiKey: text({ min: 1, max: 1_000 }).nullable().optional() })
    .nullable(),
})
export type TranslationChange = z.output<typeof TranslationChange>

/** Whether texts may be sent to the service. */
export const SwitchTranslation = z.object({ version: Version, isOn: z.boolean() })
export type SwitchTranslation = z.output<typeof SwitchTranslation>

/** An item as it is read, at the version the caller saw, and the language to translate it into. */
export const TranslateInput = ItemInput.omit({ areQuotesWhole: true }).extend({
  version: Version,
  target: z.enum(['en', 'de', 'ar']),
})
export type TranslateInput = z.output<typeof TranslateInput>

export interface TranslationSettings {
  version: number
  isOn: boolean
  /** Set by TRANSLATION_URL: then only the switch is changed at the desk. */
  isFromEnvironment: boolean
  service?: { url: string; hasApiKey: boolean }
}

/**
 * Why the service didn't translate, beside the reasons of webhooks: `answer` isn't a translation; `key` was refused; `busy` asks to wait; `secret` is an API key
 * that can't be opened, as DOCKET_SECRET has changed.
 */
export type ServiceProblem = TryProblem | 'answer' | 'key' | 'busy'

/** Why there is no translation: the service's reason, the network doesn't translate, or the text is empty. */
export type TranslationProblem = ServiceProblem | 'off' | 'empty'

export interface TranslatedText {
  text: string
  /** The language that the service detected, as it names it. */
  language?: string
}

export type Translation =
  | (TranslatedText & { /** Only the beginning was translated. */ isPartial: boolean })
  | { problem: TranslationProblem; status?: number }

/** How a test went. */
export interface TranslationTest {
  durationMs: number
  status?: number
  problem?: ServiceProblem
  /** The example in the caller's language. */
  text?: string
}
