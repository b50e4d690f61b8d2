'use client'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { KEEP_PREVIOUS } from '#components/trpc/keep-previous.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { pagerProps } from '#components/ui/pager-props.ts'
import { useQueryStates } from '#components/ui/search-params/use-query-states.ts'
import type { DeskMember, MemberSpace } from '#server/modules/desk/spaces/schema.ts'
import {
  FROM_START,
  MEMBERS_A_PAGE,
  MEMBERS_SEARCH,
  type MembersSearch,
  toCountInput,
  toMembersInput,
} from './members-search.ts'

/** The page of a space's members that the URL requests, their number, and the selection on that page. */
export function useMembers(space: MemberSpace) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const [search, setSearch] = useQueryStates(MEMBERS_SEARCH)
  const list = useQuery(trpc.members.list.queryOptions(toMembersInput(space, search), KEEP_PREVIOUS))
  const count = useQuery(
    trpc.members.count.queryOptions(toCountInput(space, search), { placeholderData: keepPreviousData }),
  )
  const members = list.data?.members
  const chosen = (members ?? []).filter(({ userId }) => search.chosen.includes(userId))

  const turn = (cursor: string, step: 1 | -1) => {
    const from = Math.max(1, search.from + step * MEMBERS_A_PAGE)
    setSearch({ cursor, from, chosen: [] }, { history: 'push' })
  }

  return {
    search,
    list,
    members,
    chosen,
    count: count.data,
    narrow: (change: Partial<MembersSearch>) => setSearch({ ...FROM_START, ...change }),
    /** While another page loads, the previous rows are still visible and can't be selected. */
    choose: (userIds: string[]) => {
      if (!list.isPlaceholderData) setSearch({ chosen: userIds })
    },
    clear: () => setSearch(null),
    pager: pagerProps(list, turn),
    readAgain: async () => {
      await Promise.all([
        queryClient.invalidateQueries(trpc.members.pathFilter()),
        queryClient.invalidateQueries(trpc.channels.pathFilter()),
        queryClient.invalidateQueries(trpc.communities.pathFilter()),
      ])
    },
  }
}
export type Members = ReturnType<typeof useMembers>

/** The selected members that an act applies to. */
export function reached(chosen: DeskMember[], act: keyof DeskMember['may']): DeskMember[] {
  return chosen.filter(({ may }) => may[act])
}
