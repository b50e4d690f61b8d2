import { requireSettings } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { StaffPage } from '#components/settings/staff/staff-page.tsx'
import { getQueryClient, Hydrate } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'

export const generateMetadata = titled((t) => t('settingsParts.staff'))

export default async function StaffAccountsPage() {
  await requireSettings('staff', '/settings/staff')
  await getQueryClient().prefetchQuery(trpc.staff.list.queryOptions())

  return (
    <Hydrate>
      <StaffPage />
    </Hydrate>
  )
}
