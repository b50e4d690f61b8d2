import { notFound } from 'next/navigation'
import { requireSettings } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { ColleaguePage } from '#components/settings/staff/colleague-page.tsx'
import { toColleaguePath } from '#components/settings/staff/to-colleague-path.ts'
import { undefinedIfHidden } from '#components/trpc/request-error.ts'
import { getQueryClient, Hydrate } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'

export const generateMetadata = titled((t) => t('settingsParts.staff'))

export default async function ColleaguesPage({ params }: PageProps<'/settings/staff/[staffId]'>) {
  const staffId = decodeURIComponent((await params).staffId)
  await requireSettings('staff', toColleaguePath(staffId))
  const queryClient = getQueryClient()
  const reads = Promise.all([
    queryClient.fetchQuery(trpc.staff.read.queryOptions({ staffId })),
    queryClient.fetchQuery(trpc.staff.sessions.queryOptions({ staffId })),
    queryClient.fetchQuery(trpc.staff.list.queryOptions()),
  ])
  if ((await undefinedIfHidden(reads, ['NOT_FOUND'])) === undefined) notFound()

  return (
    <Hydrate>
      <ColleaguePage staffId={staffId} />
    </Hydrate>
  )
}
