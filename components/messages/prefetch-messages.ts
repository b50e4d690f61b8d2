import {
  isLookedFor,
  MESSAGES_AROUND,
  type MessagesSearch,
  toMessagesInput,
} from '#components/kit/addresses/messages-search.ts'
import { getQueryClient } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'

/** Prefetches the first paint: the results and the open message. */
export async function prefetchMessages(search: MessagesSearch, ownZone: string): Promise<void> {
  const zone = search.timeZone ?? ownZone
  const queryClient = getQueryClient()
  const { channelId, message } = search
  await Promise.all([
    isLookedFor(search) && queryClient.prefetchQuery(trpc.messages.search.queryOptions(toMessagesInput(search, zone))),
    channelId !== null && queryClient.prefetchQuery(trpc.channels.read.queryOptions({ channelId })),
    message !== null &&
      queryClient.prefetchQuery(trpc.messages.around.queryOptions({ messageId: message, span: MESSAGES_AROUND })),
  ])
}
