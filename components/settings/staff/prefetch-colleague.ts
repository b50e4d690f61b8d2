import { undefinedIfHidden } from '#components/trpc/request-error.ts'
import { getQueryClient } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'

/** Prefetches the first paint of an account's page; false if the account doesn't exist. */
export async function prefetchColleague(staffId: string): Promise<boolean> {
  const queryClient = getQueryClient()
  const reads = Promise.all([
    queryClient.fetchQuery(trpc.staff.read.queryOptions({ staffId })),
    queryClient.fetchQuery(trpc.staff.sessions.queryOptions({ staffId })),
    queryClient.fetchQuery(trpc.staff.list.queryOptions()),
  ])
  return (await undefinedIfHidden(reads, ['NOT_FOUND'])) !== undefined
}
