import { requireSettings } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { NotificationsPage } from '#components/settings/notifications/notifications-page.tsx'
import { getQueryClient, Hydrate } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'

export const generateMetadata = titled((t) => t('settingsParts.notifications'))

export default async function MyNotificationsPage() {
  await requireSettings('notifications', '/settings/notifications')
  await getQueryClient().prefetchQuery(trpc.notifications.own.queryOptions())

  return (
    <Hydrate>
      <NotificationsPage />
    </Hydrate>
  )
}
