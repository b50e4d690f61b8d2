import { requireSettings } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { PoliciesPage } from '#components/settings/policies/policies-page.tsx'
import { getQueryClient, Hydrate } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'

export const generateMetadata = titled((t) => t('settingsParts.policies'))

export default async function NetworkPoliciesPage() {
  await requireSettings('policies', '/settings/policies')
  await getQueryClient().prefetchQuery(trpc.policies.list.queryOptions())

  return (
    <Hydrate>
      <PoliciesPage />
    </Hydrate>
  )
}
