import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { toCommunityPath } from '#components/kit/addresses/communities-search.ts'
import { requireMe } from '#components/kit/frame/require-me.ts'
import { readWords } from '#components/preferences/server-messages.ts'
import { CommunityPage } from '#components/spaces/communities/community-page.tsx'
import { prefetchCommunity } from '#components/spaces/communities/prefetch-communities.ts'
import { loadMembersSearch } from '#components/spaces/members/members-search.ts'
import { prefetchMembers } from '#components/spaces/members/prefetch-members.ts'
import { Hydrate } from '#components/trpc/server.tsx'

type Props = PageProps<'/communities/[communityId]'>

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const [desk, t] = await Promise.all([communityIdOf(params).then(prefetchCommunity), readWords()])
  return { title: desk?.community.displayName || desk?.community.communityId || t('nav.communities') }
}

export default async function CommunityOnePage({ params, searchParams }: Props) {
  const communityId = await communityIdOf(params)
  await requireMe(toCommunityPath(communityId))
  const desk = await prefetchCommunity(communityId)
  if (!desk) notFound()
  await prefetchMembers({ scope: 'community', communityId }, await loadMembersSearch(searchParams))

  return (
    <Hydrate>
      <CommunityPage communityId={communityId} />
    </Hydrate>
  )
}

async function communityIdOf(params: Props['params']): Promise<string> {
  return decodeURIComponent((await params).communityId)
}
