import { loadNewRuleSearch, toNewRulePath } from '#components/kit/addresses/rules-search.ts'
import { requireSettings } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { NewRulePage } from '#components/settings/rules/new-rule-page.tsx'
import { Hydrate } from '#components/trpc/server.tsx'

export const generateMetadata = titled((t) => t('rules.form.newTitle'))

export default async function NewRulesPage({ searchParams }: PageProps<'/settings/rules/new'>) {
  await requireSettings('rules', toNewRulePath(loadNewRuleSearch(await searchParams)))

  return (
    <Hydrate>
      <NewRulePage />
    </Hydrate>
  )
}
