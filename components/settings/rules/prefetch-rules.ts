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
  const input = { communityId: space.communityId ?? null }
  await Promise.all([
    queryClient.prefetchQuery(trpc.rules.list.queryOptions(input)),
    queryClient.prefetchQuery(trpc.queues.list.queryOptions(input)),
  ])
}

/** A rule, with the queues that its editor offers; undefined if it doesn't exist or the person may not manage it. */
export async function prefetchRule(ruleId: string) {
  const queryClient = getQueryClient()
  const rule = await undefinedIfHidden(queryClient.fetchQuery(trpc.rules.read.queryOptions({ ruleId })))
  if (rule) await queryClient.prefetchQuery(trpc.queues.list.queryOptions({ communityId: rule.communityId ?? null }))
  return rule
}
