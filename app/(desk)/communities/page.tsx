import { notFound } from 'next/navigation'
import { CommunitiesPage } from '#components/communities/communities-page.tsx'
import { loadCommunitiesSearch, toCommunitiesPath } from '#components/communities/communities-search.ts'
import { prefetchCommunities } from '#components/communities/prefetch-communities.ts'
import { titled } from '#components/i18n/server.ts'
import { requireMe } from '#components/shell/require-me.ts'
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
