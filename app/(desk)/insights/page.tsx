import { InsightsPage } from '#components/insights/insights-page.tsx'
import { loadInsightsSearch, toInsightsPath } from '#components/insights/insights-search.ts'
import { prefetchInsights } from '#components/insights/prefetch-insights.ts'
import { requireSection } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { Hydrate } from '#components/trpc/server.tsx'

export const generateMetadata = titled((t) => t('nav.insights'))

export default async function FiguresPage({ searchParams }: PageProps<'/insights'>) {
  const search = loadInsightsSearch(await searchParams)
  await requireSection('insights', toInsightsPath(search))
  await prefetchInsights(search)

  return (
    <Hydrate>
      <InsightsPage />
    </Hydrate>
  )
}
