'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLiveMessages } from '#components/live/live-context.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'

/** Where the person may manage rules; one of the communities is included even without rules. */
export function useRuleSpaces(communityId: string | null | undefined) {
  return useQuery(useTRPC().rules.spaces.queryOptions(communityId ? { communityId } : {}))
}

/** Refetches everything about rules. */
export function useReadRulesAgain(): () => Promise<void> {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries(trpc.rules.pathFilter())
}

/** Refetches rules that somebody else changed. */
export function useLiveRules(): void {
  const readAgain = useReadRulesAgain()
  useLiveMessages((message) => {
    if (message.kind === 'event' && message.name === 'desk.rule.didChange') void readAgain()
  })
}
