import { titled } from '#components/i18n/server.ts'
import { PreferencesPage } from '#components/preferences/preferences-page.tsx'
import { requireMe } from '#components/shell/require-me.ts'

export const generateMetadata = titled((t) => t('settings.preferences'))

export default async function MyPreferencesPage() {
  await requireMe('/settings/preferences')
  return <PreferencesPage />
}
