import type { Metadata } from 'next'
import { cache } from 'react'
import { createTranslator, type Messages } from 'use-intl/core'
import { COMPILED } from '#components/i18n/compiled.ts'
import { LANGUAGES } from '#components/i18n/locale.ts'
import { readOwnPreferences } from './own-preferences.ts'

/** Words for what is rendered on the server only, in the language of whoever asks. */
export const readWords = cache(async () => {
  const { language } = await readOwnPreferences()
  const messages = COMPILED[language] as unknown as Messages
  return createTranslator({ locale: LANGUAGES[language].locale, messages })
})

type Words = Awaited<ReturnType<typeof readWords>>

/** What a page exports as `generateMetadata` where its title is always the same. */
export function titled(read: (t: Words) => string): () => Promise<Metadata> {
  return async () => ({ title: read(await readWords()) })
}
