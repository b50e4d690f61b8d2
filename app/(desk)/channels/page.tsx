import { notFound } from 'next/navigation'
import { loadChannelsSearch, toChannelsPath } from '#components/kit/addresses/channels-search.ts'
import { requireMe } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { ChannelsPage } from '#components/spaces/channels/channels-page.tsx'
import { prefetchChannels } from '#components/spaces/channels/prefetch-channels.ts'
import { Hydrate } from '#components/trpc/server.tsx'

export const generateMetadata = titled((t) => t('nav.channels'))

export default async function ChannelsListPage({ searchParams }: PageProps<'/channels'>) {
  const search = await loadChannelsSearch(searchParams)
  const me = await requireMe(toChannelsPath(search))
  if (!me.opens.includes('channels')) notFound()
  await prefetchChannels(search)

  return (
    <Hydrate>
      <ChannelsPage />
    </Hydrate>
  )
}
