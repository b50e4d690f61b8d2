import { requireSettings } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { FlagsPage } from '#components/settings/flags/flags-page.tsx'
import { getQueryClient, Hydrate } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'

export const generateMetadata = titled((t) => t('settingsParts.flags'))

export default async function ModerationFlagsPage() {
  const me = await requireSettings('flags', '/settings/flags')
  const queryClient = getQueryClient()
  await Promise.all([
    queryClient.prefetchQuery(trpc.settings.flags.queryOptions()),
    queryClient.prefetchQuery(trpc.lists.kept.queryOptions({ list: 'allow' })),
    queryClient.prefetchQuery(trpc.lists.kept.queryOptions({ list: 'block' })),
    ...(me.opens.includes('audit') ? [queryClient.prefetchQuery(trpc.reports.list.queryOptions({}))] : []),
  ])

  return (
    <Hydrate>
      <FlagsPage />
    </Hydrate>
  )
}
