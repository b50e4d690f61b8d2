import { requireSettings } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { TargetsPage } from '#components/settings/targets/targets-page.tsx'
import { getQueryClient, Hydrate } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'

export const generateMetadata = titled((t) => t('settingsParts.targets'))

export default async function ServiceTargetsPage() {
  await requireSettings('targets', '/settings/targets')
  await getQueryClient().prefetchQuery(trpc.targets.list.queryOptions())

  return (
    <Hydrate>
      <TargetsPage />
    </Hydrate>
  )
}
