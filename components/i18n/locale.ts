import type { ChosenPreferences } from '#server/modules/accounts/preferences/schema.ts'

export type Language = NonNullable<ChosenPreferences['language']>

export interface LanguageFacts {
  /** Its name in the language itself. */
  name: string
  /** The locale used to format dates, times and numbers. */
  locale: 'en-GB' | 'de-DE' | 'ar-u-nu-latn'
  direction: 'ltr' | 'rtl'
}

export const LANGUAGES: Record<Language, LanguageFacts> = {
  en: { name: 'English', locale: 'en-GB', direction: 'ltr' },
  de: { name: 'Deutsch', locale: 'de-DE', direction: 'ltr' },
  // With Latin digits, as in ids, shortcuts and the interface, so that numbers can be compared and typed.
  ar: { name: 'العربية', locale: 'ar-u-nu-latn', direction: 'rtl' },
}

export const isLanguage = (text: string | undefined): text is Language =>
  text !== undefined && Object.hasOwn(LANGUAGES, text)
