import type { useTRPC } from '#components/trpc/trpc-context.ts'
import type { AppealsSearch } from './appeals-search.ts'

const A_PAGE = 20

/** The appeals that the person may decide on. */
export function appealOptions({ appeals }: Pick<ReturnType<typeof useTRPC>, 'appeals'>, { state }: AppealsSearch) {
  return appeals.list.infiniteQueryOptions({ state, limit: A_PAGE }, { getNextPageParam: ({ paging }) => paging.next })
}
