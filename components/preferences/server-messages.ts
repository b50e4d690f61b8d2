import type { Metadata } from 'next'
import { cache } from 'react'
import { createTranslator, type Messages } from 'use-intl/core'
import { COMPILED } from '#components/i18n/compiled.ts'
import { LANGUAGES } from '#components/i18n/locale.ts'
import { readOwnPreferences } from './own-preferences.ts'

/** Messages for server-only rendering, in the language of the person who requests the page. */
export const readWords = cache(async () => {
  const { language } = await readOwnPreferences()
  const messages = COMPILED[language] as unknown as Messages
  return createTranslator({ locale: LANGUAGES[language].locale, messages })
})

type Words = Awaited<ReturnType<typeof readWords>>

/** The `generateMetadata` of a page with a fixed title. */
export function titled(read: (t: Words) => string): () => Promise<Metadata> {
  return async () => ({ title: read(await readWords()) })
}
