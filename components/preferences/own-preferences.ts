import Negotiator from 'negotiator'
import { cookies, headers } from 'next/headers'
import { cache } from 'react'
import { isLanguage, LANGUAGES, type Language } from '#components/i18n/locale.ts'
import { getQueryClient } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'
import type { ChosenPreferences } from '#server/modules/accounts/preferences/schema.ts'
import type { Preferences } from './preferences.ts'
import { preferencesOf } from './preferences-of.ts'

/** The preferences of the person who requests this page. Read once per request. */
export const readOwnPreferences = cache(async (): Promise<Preferences> => {
  const [jar, chosen, asked] = await Promise.all([cookies(), readChosen(), readAsked()])
  return preferencesOf(chosen, (name) => jar.get(name)?.value, asked)
})

/** The preferences that the person chose: none before sign-in, or if they can't be read, as no page fails because of that. */
async function readChosen(): Promise<ChosenPreferences> {
  try {
    return await getQueryClient().fetchQuery(trpc.preferences.read.queryOptions())
  } catch {
    return {}
  }
}

/** The supported language that the browser prefers: de-AT gets German. */
async function readAsked(): Promise<Language | undefined> {
  const header = (await headers()).get('accept-language')
  if (!header) return undefined
  const [best] = new Negotiator({ headers: { 'accept-language': header } }).languages(Object.keys(LANGUAGES))
  return isLanguage(best) ? best : undefined
}
