import { notFound } from 'next/navigation'
import { titled } from '#components/i18n/server.ts'
import { RolesPage } from '#components/roles/roles-page.tsx'
import { requireMe } from '#components/shell/require-me.ts'
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
