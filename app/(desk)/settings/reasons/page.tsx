import { requireSettings } from '#components/kit/frame/require-me.ts'
import { reasonsOptions } from '#components/kit/review/reasons-query.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { ReasonsPage } from '#components/settings/reasons/reasons-page.tsx'
import { getQueryClient, Hydrate } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'

export const generateMetadata = titled((t) => t('settingsParts.reasons'))

export default async function RejectionReasonsPage() {
  await requireSettings('reasons', '/settings/reasons')
  await getQueryClient().prefetchQuery(reasonsOptions(trpc))

  return (
    <Hydrate>
      <ReasonsPage />
    </Hydrate>
  )
}
