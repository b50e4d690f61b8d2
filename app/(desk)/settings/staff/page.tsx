import { notFound } from 'next/navigation'
import { requireMe } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { StaffPage } from '#components/settings/staff/staff-page.tsx'
import { getQueryClient, Hydrate, trpc } from '#components/trpc/server.tsx'

export const generateMetadata = titled((t) => t('settingsParts.staff'))

export default async function StaffAccountsPage() {
  const me = await requireMe('/settings/staff')
  if (!me.settings.includes('staff')) notFound()
  await getQueryClient().prefetchQuery(trpc.staff.list.queryOptions())

  return (
    <Hydrate>
      <StaffPage />
    </Hydrate>
  )
}
