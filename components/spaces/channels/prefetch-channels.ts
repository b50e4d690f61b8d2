import { cache } from 'react'
import { type ChannelsSearch, toChannelsInput } from '#components/kit/addresses/channels-search.ts'
import { isNotToBeSeen } from '#components/trpc/request-error.ts'
import { getQueryClient, trpc } from '#components/trpc/server.tsx'
import type { DeskChannel } from '#server/modules/desk/spaces/schema.ts'

/** Prefetches the first paint of the list. */
export async function prefetchChannels(search: ChannelsSearch): Promise<void> {
  await getQueryClient().prefetchQuery(trpc.channels.list.queryOptions(toChannelsInput(search)))
}

/** A channel; undefined if it doesn't exist or the viewer may not see it. */
export const prefetchChannel = cache(async (channelId: string): Promise<DeskChannel | undefined> => {
  try {
    return await getQueryClient().fetchQuery(trpc.channels.read.queryOptions({ channelId }))
  } catch (error) {
    if (isNotToBeSeen(error)) return undefined
    throw error
  }
})
