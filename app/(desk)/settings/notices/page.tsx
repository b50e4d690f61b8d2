import { requireSettings } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { NoticesPage } from '#components/settings/notices/notices-page.tsx'
import { getQueryClient, Hydrate } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'

export const generateMetadata = titled((t) => t('settingsParts.notices'))

export default async function MyNoticesPage() {
  await requireSettings('notices', '/settings/notices')
  await getQueryClient().prefetchQuery(trpc.notices.own.queryOptions())

  return (
    <Hydrate>
      <NoticesPage />
    </Hydrate>
  )
}
