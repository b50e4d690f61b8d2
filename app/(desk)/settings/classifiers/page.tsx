import { requireSettings } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { ClassifiersPage } from '#components/settings/classifiers/classifiers-page.tsx'
import { prefetchClassifiers } from '#components/settings/classifiers/prefetch-classifiers.ts'
import { Hydrate } from '#components/trpc/server.tsx'

export const generateMetadata = titled((t) => t('settingsParts.classifiers'))

export default async function ClassifiersSettingsPage() {
  await requireSettings('classifiers', '/settings/classifiers')
  await prefetchClassifiers()

  return (
    <Hydrate>
      <ClassifiersPage />
    </Hydrate>
  )
}
