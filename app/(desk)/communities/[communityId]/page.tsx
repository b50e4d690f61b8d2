import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { requireMe } from '#components/kit/frame/require-me.ts'
import { readWords } from '#components/preferences/server-messages.ts'
import { CommunityPage } from '#components/spaces/communities/community-page.tsx'
import { loadMembersSearch } from '#components/spaces/members/members-search.ts'
import { prefetchMembers } from '#components/spaces/members/prefetch-members.ts'
import { prefetchCommunity } from '#components/spaces/prefetch-spaces.ts'
import { COMMUNITY, spaceNameOf } from '#components/spaces/space-kinds.ts'
import { Hydrate } from '#components/trpc/server.tsx'

type Props = PageProps<'/communities/[communityId]'>

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const [desk, t] = await Promise.all([communityIdOf(params).then(prefetchCommunity), readWords()])
  return { title: desk ? spaceNameOf(COMMUNITY, desk.community) : t('nav.communities') }
}

export default async function CommunityOnePage({ params, searchParams }: Props) {
  const communityId = await communityIdOf(params)
  await requireMe(COMMUNITY.toPath(communityId))
  const desk = await prefetchCommunity(communityId)
  if (!desk) notFound()
  await prefetchMembers(COMMUNITY.spaceOf(communityId), loadMembersSearch(await searchParams))

  return (
    <Hydrate>
      <CommunityPage communityId={communityId} />
    </Hydrate>
  )
}

async function communityIdOf(params: Props['params']): Promise<string> {
  return decodeURIComponent((await params).communityId)
}
