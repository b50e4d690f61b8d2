import type { ChosenPreferences } from '#server/modules/accounts/preferences/schema.ts'

export type Language = NonNullable<ChosenPreferences['language']>

export interface LanguageFacts {
  /** What its speakers call it. */
  name: string
  /** The regional form in which dates, times and numbers are written. */
  locale: 'en-GB' | 'de-DE' | 'ar-u-nu-latn'
  direction: 'ltr' | 'rtl'
}

export const LANGUAGES: Record<Language, LanguageFacts> = {
  en: { name: 'English', locale: 'en-GB', direction: 'ltr' },
  de: { name: 'Deutsch', locale: 'de-DE', direction: 'ltr' },
  // With the digits of ids, keys and the interface: what is read here can be compared with them, and typed.
  ar: { name: 'العربية', locale: 'ar-u-nu-latn', direction: 'rtl' },
}

export const isLanguage = (text: string | undefined): text is Language =>
  text !== undefined && Object.hasOwn(LANGUAGES, text)
