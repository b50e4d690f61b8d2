import { requireSettings } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { TranslationPage } from '#components/settings/translation/translation-page.tsx'
import { getQueryClient, Hydrate } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'

export const generateMetadata = titled((t) => t('settingsParts.translation'))

export default async function TranslationSettingsPage() {
  await requireSettings('translation', '/settings/translation')
  await getQueryClient().prefetchQuery(trpc.translations.settings.queryOptions())

  return (
    <Hydrate>
      <TranslationPage />
    </Hydrate>
  )
}
