import { cookies } from 'next/headers'
import { cache } from 'react'
import { getQueryClient, trpc } from '#components/trpc/server.tsx'
import type { ChosenPreferences } from '#server/modules/preferences/schema.ts'
import { type Preferences, preferencesOf } from './preferences.ts'

/** How whoever asks for this page likes the desk. Read once a request. */
export const readOwnPreferences = cache(async (): Promise<Preferences> => {
  const [jar, chosen] = await Promise.all([cookies(), readChosen()])
  return preferencesOf(chosen, (name) => jar.get(name)?.value)
})

/** At the door there is nobody who chose; and no page fails because its looks could not be read. */
async function readChosen(): Promise<ChosenPreferences> {
  try {
    return await getQueryClient().fetchQuery(trpc.preferences.read.queryOptions())
  } catch {
    return {}
  }
}
