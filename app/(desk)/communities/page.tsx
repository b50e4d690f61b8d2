import { notFound } from 'next/navigation'
import { loadCommunitiesSearch, toCommunitiesPath } from '#components/kit/addresses/communities-search.ts'
import { requireMe } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { CommunitiesPage } from '#components/spaces/communities/communities-page.tsx'
import { prefetchCommunities } from '#components/spaces/communities/prefetch-communities.ts'
import { Hydrate } from '#components/trpc/server.tsx'

export const generateMetadata = titled((t) => t('nav.communities'))

export default async function CommunitiesListPage({ searchParams }: PageProps<'/communities'>) {
  const search = await loadCommunitiesSearch(searchParams)
  const me = await requireMe(toCommunitiesPath(search))
  if (!me.opens.includes('communities')) notFound()
  await prefetchCommunities(search)

  return (
    <Hydrate>
      <CommunitiesPage />
    </Hydrate>
  )
}
