import { notFound } from 'next/navigation'
import { toRulePath } from '#components/kit/addresses/rules-search.ts'
import { requireSettings } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { prefetchRule } from '#components/settings/rules/prefetch-rules.ts'
import { RulePage } from '#components/settings/rules/rule-page.tsx'
import { Hydrate } from '#components/trpc/server.tsx'

export const generateMetadata = titled((t) => t('settingsParts.rules'))

export default async function RuleOnePage({ params }: PageProps<'/settings/rules/[ruleId]'>) {
  const ruleId = decodeURIComponent((await params).ruleId)
  await requireSettings('rules', toRulePath(ruleId))
  if (!(await prefetchRule(ruleId))) notFound()

  return (
    <Hydrate>
      <RulePage ruleId={ruleId} />
    </Hydrate>
  )
}
