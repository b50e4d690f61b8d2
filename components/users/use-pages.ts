'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC, useTRPCClient } from '#components/trpc/trpc-context.ts'
import { pagerProps } from '#components/ui/pager-props.ts'
import type { Person, PersonListInput, PersonLists } from '#server/modules/people/schema.ts'

/** Each list as the server is asked for it. */
type Lists = { [Name in keyof PersonLists]: { query: (input: PersonListInput) => Promise<PersonLists[Name]> } }

const ITEMS_A_PAGE = 10

/** A list of a person's page: what came with the page, then on and back from there. */
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
  // What came with the page stands in for the first that is turned to, as each does for the next.
  const isPlaceholderData = cursor !== undefined && (turned.isPending || turned.isPlaceholderData)
  return {
    page,
    failure: turned.isError ? turned : undefined,
    isPaged: page.next !== undefined || page.previous !== undefined,
    pager: pagerProps({ data: page, isPlaceholderData }, setCursor),
  }
}
