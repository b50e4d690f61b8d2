import { getQueryClient, trpc } from '#components/trpc/server.tsx'
import type { MemberPlace } from '#server/modules/desk/spaces/schema.ts'
import { type MembersSearch, toCountInput, toMembersInput } from './members-search.ts'

/** Prefetches the first paint of the members. */
export async function prefetchMembers(place: MemberPlace, search: MembersSearch): Promise<void> {
  const queryClient = getQueryClient()
  await Promise.all([
    queryClient.prefetchQuery(trpc.members.list.queryOptions(toMembersInput(place, search))),
    queryClient.prefetchQuery(trpc.members.count.queryOptions(toCountInput(place, search))),
  ])
}
