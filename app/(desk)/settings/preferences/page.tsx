import { requireMe } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { PreferencesPage } from '#components/settings/preferences/preferences-page.tsx'

export const generateMetadata = titled((t) => t('settings.preferences'))

export default async function MyPreferencesPage() {
  await requireMe('/settings/preferences')
  return <PreferencesPage />
}
