import { toNewestInput, type UsersSearch } from '#components/kit/addresses/users-search.ts'
import { getQueryClient, trpc } from '#components/trpc/server.tsx'

/** Prefetches the first paint of the people search. */
export async function prefetchUsers(search: UsersSearch): Promise<void> {
  const queryClient = getQueryClient()
  const query = search.query.trim()
  if (query !== '') await queryClient.prefetchQuery(trpc.users.find.queryOptions({ query }))
  else await queryClient.prefetchQuery(trpc.users.newest.queryOptions(toNewestInput(search)))
}
