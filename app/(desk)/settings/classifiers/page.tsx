import { requireSettings } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { ClassifiersPage } from '#components/settings/classifiers/classifiers-page.tsx'
import { getQueryClient, Hydrate } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'

export const generateMetadata = titled((t) => t('settingsParts.classifiers'))

export default async function ClassifiersSettingsPage() {
  await requireSettings('classifiers', '/settings/classifiers')
  await getQueryClient().prefetchQuery(trpc.classifiers.list.queryOptions())

  return (
    <Hydrate>
      <ClassifiersPage />
    </Hydrate>
  )
}
