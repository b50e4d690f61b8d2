import { loadMessagesSearch, toMessagesPath } from '#components/kit/addresses/messages-search.ts'
import { requireSection } from '#components/kit/frame/require-me.ts'
import { MessagesPage } from '#components/messages/messages-page.tsx'
import { prefetchMessages } from '#components/messages/prefetch-messages.ts'
import { readOwnPreferences } from '#components/preferences/own-preferences.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { Hydrate } from '#components/trpc/server.tsx'

export const generateMetadata = titled((t) => t('nav.messages'))

export default async function MessagesSearchPage({ searchParams }: PageProps<'/messages'>) {
  const search = loadMessagesSearch(await searchParams)
  await requireSection('messages', toMessagesPath(search))
  const { zone = 'UTC' } = await readOwnPreferences()
  await prefetchMessages(search, zone)

  return (
    <Hydrate>
      <MessagesPage />
    </Hydrate>
  )
}
