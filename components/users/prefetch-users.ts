import { toFindInput, toNewestInput, type UsersSearch } from '#components/kit/addresses/users-search.ts'
import { getQueryClient } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'

/** Prefetches the first paint of the people search. */
export async function prefetchUsers(search: UsersSearch): Promise<void> {
  const queryClient = getQueryClient()
  const isSearch = search.query.trim() !== ''
  if (isSearch) await queryClient.prefetchQuery(trpc.users.find.queryOptions(toFindInput(search)))
  else await queryClient.prefetchQuery(trpc.users.newest.queryOptions(toNewestInput(search)))
}
