import { loadCommunitiesSearch, toCommunitiesPath } from '#components/kit/addresses/communities-search.ts'
import { requireSection } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { CommunitiesPage } from '#components/spaces/communities/communities-page.tsx'
import { prefetchCommunities } from '#components/spaces/prefetch-spaces.ts'
import { Hydrate } from '#components/trpc/server.tsx'

export const generateMetadata = titled((t) => t('nav.communities'))

export default async function CommunitiesListPage({ searchParams }: PageProps<'/communities'>) {
  const search = loadCommunitiesSearch(await searchParams)
  await requireSection('communities', toCommunitiesPath(search))
  await prefetchCommunities(search)

  return (
    <Hydrate>
      <CommunitiesPage />
    </Hydrate>
  )
}
