import { AppealsPage } from '#components/appeals/appeals-page.tsx'
import { loadAppealsSearch, toAppealsPath } from '#components/appeals/appeals-search.ts'
import { prefetchAppeals } from '#components/appeals/prefetch-appeals.ts'
import { requireSection } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { Hydrate } from '#components/trpc/server.tsx'

export const generateMetadata = titled((t) => t('nav.appeals'))

export default async function AppealsListPage({ searchParams }: PageProps<'/appeals'>) {
  const search = loadAppealsSearch(await searchParams)
  await requireSection('appeals', toAppealsPath(search))
  await prefetchAppeals(search)

  return (
    <Hydrate>
      <AppealsPage />
    </Hydrate>
  )
}
