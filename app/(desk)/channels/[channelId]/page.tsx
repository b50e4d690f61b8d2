import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { requireMe } from '#components/kit/frame/require-me.ts'
import { readWords } from '#components/preferences/server-messages.ts'
import { ChannelPage } from '#components/spaces/channels/channel-page.tsx'
import { loadMembersSearch } from '#components/spaces/members/members-search.ts'
import { prefetchMembers } from '#components/spaces/members/prefetch-members.ts'
import { prefetchChannel } from '#components/spaces/prefetch-spaces.ts'
import { CHANNEL, spaceNameOf } from '#components/spaces/space-kinds.ts'
import { Hydrate } from '#components/trpc/server.tsx'

type Props = PageProps<'/channels/[channelId]'>

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const [desk, t] = await Promise.all([channelIdOf(params).then(prefetchChannel), readWords()])
  return { title: desk ? spaceNameOf(CHANNEL, desk.channel) : t('nav.channels') }
}

export default async function ChannelOnePage({ params, searchParams }: Props) {
  const channelId = await channelIdOf(params)
  await requireMe(CHANNEL.toPath(channelId))
  const desk = await prefetchChannel(channelId)
  if (!desk) notFound()
  await prefetchMembers(CHANNEL.spaceOf(channelId), loadMembersSearch(await searchParams))

  return (
    <Hydrate>
      <ChannelPage channelId={channelId} />
    </Hydrate>
  )
}

async function channelIdOf(params: Props['params']): Promise<string> {
  return decodeURIComponent((await params).channelId)
}
