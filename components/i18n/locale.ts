/** What the desk speaks, each under its own name, with the regional form in which its dates, times and numbers are written. */
export const LANGUAGES = {
  en: { name: 'English', locale: 'en-GB', direction: 'ltr' },
  de: { name: 'Deutsch', locale: 'de-DE', direction: 'ltr' },
  // Digits as ids, keys and the interface have them, so that what is read can be compared and typed.
  ar: { name: 'العربية', locale: 'ar-u-nu-latn', direction: 'rtl' },
} as const

export type Language = keyof typeof LANGUAGES
