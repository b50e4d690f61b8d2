import type { PolicyLanguage, PolicyTexts } from '#server/modules/network/policies/schema.ts'

/** In the order of the desk's languages. */
export const LANGUAGE_ORDER = ['en', 'de', 'ar'] as const satisfies PolicyLanguage[]

/** The languages that it is written in. */
export function languagesOf(texts: PolicyTexts): PolicyLanguage[] {
  return LANGUAGE_ORDER.filter((language) => texts[language] !== undefined)
}
