import { cache } from 'react'
import { type ChannelsSearch, toChannelsInput } from '#components/kit/addresses/channels-search.ts'
import { type SpacesSearch, toSpacesInput } from '#components/kit/addresses/spaces-search.ts'
import { undefinedIfHidden } from '#components/trpc/request-error.ts'
import { getQueryClient } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'

/** Prefetches the first paint of the list of channels. */
export function prefetchChannels(search: ChannelsSearch): Promise<void> {
  return getQueryClient().prefetchQuery(trpc.channels.list.queryOptions(toChannelsInput(search)))
}

/** Prefetches the first paint of the list of communities. */
export function prefetchCommunities(search: SpacesSearch): Promise<void> {
  return getQueryClient().prefetchQuery(trpc.communities.list.queryOptions(toSpacesInput(search)))
}

/** A channel; undefined if it doesn't exist or the viewer may not see it. */
export const prefetchChannel = cache((channelId: string) =>
  undefinedIfHidden(getQueryClient().fetchQuery(trpc.channels.read.queryOptions({ channelId }))),
)

/** A community; undefined if it doesn't exist or the viewer may not see it. */
export const prefetchCommunity = cache((communityId: string) =>
  undefinedIfHidden(getQueryClient().fetchQuery(trpc.communities.read.queryOptions({ communityId }))),
)
