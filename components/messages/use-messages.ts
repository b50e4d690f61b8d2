'use client'
import { useQuery } from '@tanstack/react-query'
import {
  isLookedFor,
  MESSAGES_SEARCH,
  type MessagesSearch,
  toMessagesInput,
} from '#components/kit/addresses/messages-search.ts'
import { useZone } from '#components/kit/zones/use-zone.ts'
import { KEEP_PREVIOUS } from '#components/trpc/keep-previous.ts'
import { toRequestError } from '#components/trpc/request-error.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { pagerProps } from '#components/ui/pager-props.ts'
import { useQueryStates } from '#components/ui/search-params/use-query-states.ts'

/** The results for the URL's search, and the open message. */
export function useMessages() {
  const trpc = useTRPC()
  const { zone } = useZone()
  const [search, setSearch] = useQueryStates(MESSAGES_SEARCH)
  const isAsked = isLookedFor(search)
  const list = useQuery(
    trpc.messages.search.queryOptions(toMessagesInput(search, zone), {
      ...KEEP_PREVIOUS,
      enabled: isAsked,
    }),
  )
  const channel = useQuery(
    trpc.channels.read.queryOptions({ channelId: search.channelId ?? '' }, { enabled: search.channelId !== null }),
  )
  /** Opening it requires a reason, which is recorded in the audit log. */
  const isClosed = channel.data?.may.open === true && list.isError && toRequestError(list.error).code === 'FORBIDDEN'
  const messages = isAsked && !isClosed ? list.data?.messages : undefined
  const at = messages?.findIndex(({ messageId }) => messageId === search.message) ?? -1

  const show = (messageId: string | null, history: 'push' | 'replace' = 'replace') =>
    setSearch({ message: messageId }, { history })

  return {
    search,
    isAsked,
    isClosed,
    list,
    messages,
    channel: search.channelId === null ? undefined : channel.data?.channel,
    current: messages?.[at],
    neighbour: (by: number) => messages?.[at < 0 ? 0 : at + by]?.messageId,
    show,
    narrow: (change: Partial<MessagesSearch>) => setSearch({ cursor: null, message: null, ...change }),
    clear: () => setSearch(null),
    pager: pagerProps(list, (cursor) => setSearch({ cursor, message: null }, { history: 'push' })),
  }
}
export type Messages = ReturnType<typeof useMessages>
