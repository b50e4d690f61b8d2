import { notFound } from 'next/navigation'
import { titled } from '#components/i18n/server.ts'
import { reasonsOptions } from '#components/queue/reasons/reasons-query.ts'
import { ReasonsPage } from '#components/reasons/reasons-page.tsx'
import { requireMe } from '#components/shell/require-me.ts'
import { getQueryClient, Hydrate, trpc } from '#components/trpc/server.tsx'

export const generateMetadata = titled((t) => t('settingsParts.reasons'))

export default async function RejectionReasonsPage() {
  const me = await requireMe('/settings/reasons')
  if (!me.settings.includes('reasons')) notFound()
  await getQueryClient().prefetchQuery(reasonsOptions(trpc))

  return (
    <Hydrate>
      <ReasonsPage />
    </Hydrate>
  )
}
