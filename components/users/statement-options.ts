import type { useTRPC } from '#components/trpc/trpc-context.ts'

const A_PAGE = 5

/** The statements issued to a person, newest first. */
export function statementOptions({ statements }: Pick<ReturnType<typeof useTRPC>, 'statements'>, userId: string) {
  return statements.list.infiniteQueryOptions(
    { userId, limit: A_PAGE },
    { getNextPageParam: ({ paging }) => paging.next },
  )
}
