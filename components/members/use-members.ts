'use client'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useQueryStates } from 'nuqs'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { DeskMember, MemberPlace } from '#server/modules/places/schema.ts'
import {
  FROM_START,
  MEMBERS_A_PAGE,
  MEMBERS_SEARCH,
  type MembersSearch,
  toCountInput,
  toMembersInput,
} from './members-search.ts'

/** A page of a place's members as the address says, how many there are, and who of the page is chosen. */
export function useMembers(place: MemberPlace) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const [search, setSearch] = useQueryStates(MEMBERS_SEARCH)
  const list = useQuery(
    trpc.members.list.queryOptions(toMembersInput(place, search), {
      placeholderData: keepPreviousData,
      trpc: { abortOnUnmount: true },
    }),
  )
  const count = useQuery(
    trpc.members.count.queryOptions(toCountInput(place, search), { placeholderData: keepPreviousData }),
  )
  const members = list.data?.members
  const chosen = (members ?? []).filter(({ userId }) => search.chosen.includes(userId))

  /** While another page is read, the one before is still in sight: neither its ways on nor its rows are meant any more. */
  const onThisPage = (change: Partial<MembersSearch>, options?: { history: 'push' }) => {
    if (!list.isPlaceholderData) void setSearch(change, options)
  }
  const turnTo = (cursor: string | undefined, by: number) =>
    cursor === undefined
      ? undefined
      : () => onThisPage({ cursor, from: Math.max(1, search.from + by), chosen: [] }, { history: 'push' })

  return {
    search,
    list,
    members,
    chosen,
    count: count.data,
    narrow: (change: Partial<MembersSearch>) => void setSearch({ ...FROM_START, ...change }),
    choose: (userIds: string[]) => onThisPage({ chosen: userIds }),
    clear: () => void setSearch(null),
    pager: {
      onNext: turnTo(list.data?.next, MEMBERS_A_PAGE),
      onPrevious: turnTo(list.data?.previous, -MEMBERS_A_PAGE),
    },
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

/** What an act reaches of those who are chosen. */
export function reached(chosen: DeskMember[], act: keyof DeskMember['may']): DeskMember[] {
  return chosen.filter(({ may }) => may[act])
}
