'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC, useTRPCClient } from '#components/trpc/trpc-context.ts'
import { pagerProps } from '#components/ui/pager-props.ts'
import type { Person, PersonListInput, PersonLists } from '#server/modules/people/schema.ts'

/** Each list with its query. */
type Lists = { [Name in keyof PersonLists]: { query: (input: PersonListInput) => Promise<PersonLists[Name]> } }

const ITEMS_A_PAGE = 10

/** Pages of a list of a person's page: the first is included in the page, the others are fetched. */
export function usePages<Name extends keyof PersonLists>(person: Person, name: Name) {
  const trpc = useTRPC()
  const { users } = useTRPCClient()
  const lists: Lists = users
  const [cursor, setCursor] = useState<string>()
  const input = { userId: person.user.userId, limit: ITEMS_A_PAGE, cursor }
  const turned = useQuery({
    queryKey: [...trpc.users[name].pathKey(), input],
    queryFn: () => lists[name].query(input),
    enabled: cursor !== undefined,
    placeholderData: keepPreviousData,
  })
  const page: PersonLists[Name] = (cursor !== undefined && turned.data) || person[name]
  // The included first page is a placeholder for the next one, as each page is for the one after it.
  const isPlaceholderData = cursor !== undefined && (turned.isPending || turned.isPlaceholderData)
  return {
    page,
    failure: turned.isError ? turned : undefined,
    isPaged: page.next !== undefined || page.previous !== undefined,
    pager: pagerProps({ data: page, isPlaceholderData }, setCursor),
  }
}
