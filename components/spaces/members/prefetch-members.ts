import { getQueryClient } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'
import type { MemberSpace } from '#server/modules/desk/spaces/schema.ts'
import { type MembersSearch, toCountInput, toMembersInput } from './members-search.ts'

/** Prefetches the first paint of the members. */
export async function prefetchMembers(space: MemberSpace, search: MembersSearch): Promise<void> {
  const queryClient = getQueryClient()
  await Promise.all([
    queryClient.prefetchQuery(trpc.members.list.queryOptions(toMembersInput(space, search))),
    queryClient.prefetchQuery(trpc.members.count.queryOptions(toCountInput(space, search))),
  ])
}
