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

/** Refetches named queues, and rules that name them. */
export function useReadQueuesAgain(): () => Promise<void> {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  return async () => {
    void queryClient.invalidateQueries(trpc.views.pathFilter())
    await queryClient.invalidateQueries(trpc.queues.pathFilter())
  }
}

/** Refetches rules and named queues that somebody else changed. */
export function useLiveRules(): void {
  const readAgain = useReadRulesAgain()
  const readQueuesAgain = useReadQueuesAgain()
  useLiveMessages((message) => {
    if (message.kind === 'event' && message.name === 'desk.rule.didChange') void readAgain()
    if (message.kind === 'event' && message.name === 'desk.namedQueue.didChange') void readQueuesAgain()
  })
}
