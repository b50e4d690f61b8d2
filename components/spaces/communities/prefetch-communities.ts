import { cache } from 'react'
import { type SpacesSearch, toSpacesInput } from '#components/kit/addresses/spaces-search.ts'
import { isNotToBeSeen } from '#components/trpc/request-error.ts'
import { getQueryClient, trpc } from '#components/trpc/server.tsx'
import type { DeskCommunity } from '#server/modules/desk/spaces/schema.ts'

/** Prefetches the first paint of the list. */
export async function prefetchCommunities(search: SpacesSearch): Promise<void> {
  await getQueryClient().prefetchQuery(trpc.communities.list.queryOptions(toSpacesInput(search)))
}

/** A community; undefined if it doesn't exist or the viewer may not see it. */
export const prefetchCommunity = cache(async (communityId: string): Promise<DeskCommunity | undefined> => {
  try {
    return await getQueryClient().fetchQuery(trpc.communities.read.queryOptions({ communityId }))
  } catch (error) {
    if (isNotToBeSeen(error)) return undefined
    throw error
  }
})
