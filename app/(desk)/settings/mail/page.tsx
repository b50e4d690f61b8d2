import { requireSettings } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { MailPage } from '#components/settings/notifications/mail-page.tsx'
import { getQueryClient, Hydrate } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'

export const generateMetadata = titled((t) => t('settingsParts.mail'))

export default async function MailSettingsPage() {
  await requireSettings('mail', '/settings/mail')
  await getQueryClient().prefetchQuery(trpc.notifications.mail.queryOptions())

  return (
    <Hydrate>
      <MailPage />
    </Hydrate>
  )
}
