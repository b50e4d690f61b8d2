import { requireSettings } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { CredentialsPage } from '#components/settings/credentials/credentials-page.tsx'
import { getQueryClient, Hydrate } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'

export const generateMetadata = titled((t) => t('settingsParts.credentials'))

export default async function KeysAndTokensPage() {
  await requireSettings('credentials', '/settings/credentials')
  await getQueryClient().prefetchQuery(trpc.credentials.list.queryOptions())

  return (
    <Hydrate>
      <CredentialsPage />
    </Hydrate>
  )
}
