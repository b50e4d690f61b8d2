import { notFound } from 'next/navigation'
import { requireSettings } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { ColleaguePage } from '#components/settings/staff/colleague-page.tsx'
import { prefetchColleague } from '#components/settings/staff/prefetch-colleague.ts'
import { toColleaguePath } from '#components/settings/staff/to-colleague-path.ts'
import { Hydrate } from '#components/trpc/server.tsx'

export const generateMetadata = titled((t) => t('settingsParts.staff'))

export default async function ColleaguesPage({ params }: PageProps<'/settings/staff/[staffId]'>) {
  const staffId = decodeURIComponent((await params).staffId)
  await requireSettings('staff', toColleaguePath(staffId))
  if (!(await prefetchColleague(staffId))) notFound()

  return (
    <Hydrate>
      <ColleaguePage staffId={staffId} />
    </Hydrate>
  )
}
