import { notFound } from 'next/navigation'
import { titled } from '#components/i18n/server.ts'
import { requireMe } from '#components/shell/require-me.ts'
import { TargetsPage } from '#components/targets/targets-page.tsx'
import { getQueryClient, Hydrate, trpc } from '#components/trpc/server.tsx'

export const generateMetadata = titled((t) => t('settingsParts.targets'))

export default async function ServiceTargetsPage() {
  const me = await requireMe('/settings/targets')
  if (!me.settings.includes('targets')) notFound()
  await getQueryClient().prefetchQuery(trpc.targets.list.queryOptions())

  return (
    <Hydrate>
      <TargetsPage />
    </Hydrate>
  )
}
