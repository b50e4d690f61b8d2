import { loadChannelsSearch, toChannelsPath } from '#components/kit/addresses/channels-search.ts'
import { requireSection } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { ChannelsPage } from '#components/spaces/channels/channels-page.tsx'
import { prefetchChannels } from '#components/spaces/prefetch-spaces.ts'
import { Hydrate } from '#components/trpc/server.tsx'

export const generateMetadata = titled((t) => t('nav.channels'))

export default async function ChannelsListPage({ searchParams }: PageProps<'/channels'>) {
  const search = loadChannelsSearch(await searchParams)
  await requireSection('channels', toChannelsPath(search))
  await prefetchChannels(search)

  return (
    <Hydrate>
      <ChannelsPage />
    </Hydrate>
  )
}
