import { loadRulesSearch, toRulesPath } from '#components/kit/addresses/rules-search.ts'
import { requireSettings } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { prefetchRules } from '#components/settings/rules/prefetch-rules.ts'
import { RulesPage } from '#components/settings/rules/rules-page.tsx'
import { Hydrate } from '#components/trpc/server.tsx'

export const generateMetadata = titled((t) => t('settingsParts.rules'))

export default async function RulesListPage({ searchParams }: PageProps<'/settings/rules'>) {
  const search = loadRulesSearch(await searchParams)
  await requireSettings('rules', toRulesPath(search))
  await prefetchRules(search)

  return (
    <Hydrate>
      <RulesPage />
    </Hydrate>
  )
}
