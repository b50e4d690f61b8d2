import { notFound } from 'next/navigation'
import { requireMe } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { RolesPage } from '#components/settings/roles/roles-page.tsx'
import { getQueryClient, Hydrate, trpc } from '#components/trpc/server.tsx'

export const generateMetadata = titled((t) => t('settingsParts.roles'))

export default async function RolesAndPermissionsPage() {
  const me = await requireMe('/settings/roles')
  if (!me.settings.includes('roles')) notFound()
  await getQueryClient().prefetchQuery(trpc.roles.matrix.queryOptions())

  return (
    <Hydrate>
      <RolesPage />
    </Hydrate>
  )
}
