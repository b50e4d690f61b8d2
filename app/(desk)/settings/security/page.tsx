import { requireSettings } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { SecurityPage } from '#components/settings/security/security-page.tsx'
import { getQueryClient, Hydrate } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'

export const generateMetadata = titled((t) => t('settingsParts.security'))

export default async function MySignInPage() {
  await requireSettings('security', '/settings/security')
  await getQueryClient().prefetchQuery(trpc.ownSignIn.read.queryOptions())

  return (
    <Hydrate>
      <SecurityPage />
    </Hydrate>
  )
}
