import { toRequestError } from '#components/trpc/request-error.ts'
import { getQueryClient, trpc } from '#components/trpc/server.tsx'

/** Prefetches the first paint of an account's page; false if the account doesn't exist. */
export async function prefetchColleague(staffId: string): Promise<boolean> {
  const queryClient = getQueryClient()
  try {
    await Promise.all([
      queryClient.fetchQuery(trpc.staff.read.queryOptions({ staffId })),
      queryClient.fetchQuery(trpc.staff.sessions.queryOptions({ staffId })),
      queryClient.fetchQuery(trpc.staff.list.queryOptions()),
    ])
    return true
  } catch (error) {
    if (toRequestError(error).code === 'NOT_FOUND') return false
    throw error
  }
}
