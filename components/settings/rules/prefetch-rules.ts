import type { RulesSearch } from '#components/kit/addresses/rules-search.ts'
import { undefinedIfHidden } from '#components/trpc/request-error.ts'
import { getQueryClient } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'

/** Prefetches the first paint of a space's rules. */
export async function prefetchRules({ communityId }: RulesSearch): Promise<void> {
  const queryClient = getQueryClient()
  const spaces = await undefinedIfHidden(
    queryClient.fetchQuery(trpc.rules.spaces.queryOptions(communityId ? { communityId } : {})),
  )
  const space = communityId ? spaces?.find((one) => one.communityId === communityId) : spaces?.[0]
  if (!space) return
  await queryClient.prefetchQuery(trpc.rules.list.queryOptions({ communityId: space.communityId ?? null }))
}

/** A rule; undefined if it doesn't exist or the person may not manage it. */
export function prefetchRule(ruleId: string) {
  return undefinedIfHidden(getQueryClient().fetchQuery(trpc.rules.read.queryOptions({ ruleId })))
}
