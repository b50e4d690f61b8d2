import { requireSettings } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { RolesPage } from '#components/settings/roles/roles-page.tsx'
import { getQueryClient, Hydrate } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'

export const generateMetadata = titled((t) => t('settingsParts.roles'))

export default async function RolesAndPermissionsPage() {
  await requireSettings('roles', '/settings/roles')
  await getQueryClient().prefetchQuery(trpc.roles.matrix.queryOptions())

  return (
    <Hydrate>
      <RolesPage />
    </Hydrate>
  )
}
