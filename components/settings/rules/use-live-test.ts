'use client'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { Rule } from '#server/modules/rules/registry/schema.ts'
import { type BacktestState, useBacktest } from './use-backtest.ts'

/**
 * The test of a rule that is about to be made live, which starts at once: in its community, or if it is the network's, in all communities
 * that the person reviews.
 */
export function useLiveTest({ ruleId, communityId, mayTest }: Rule) {
  const trpc = useTRPC()
  const isOfNetwork = communityId === undefined
  const counts = useQuery({ ...trpc.review.counts.queryOptions(), enabled: mayTest && isOfNetwork })
  const { state: run, start } = useBacktest(() => {})
  const reviewed = counts.data?.communities.map((community) => community.communityId)
  const tested = isOfNetwork ? reviewed : [communityId]
  const isKnown = mayTest && tested !== undefined

  const begin = useEffectEvent(() =>
    start((tested ?? []).map((communityId) => ({ ruleIds: [ruleId], samples: 0, communityId }))),
  )
  useEffect(() => {
    if (isKnown) begin()
  }, [isKnown])

  const state = stateOf(run, { isKnown, mayTest, error: counts.error })
  /** `communities`: in how many a rule of the network is tested, once that is known. */
  return { state, communities: isOfNetwork ? reviewed?.length : undefined, isTested: isTestedBy(state) }
}

interface Knowing {
  isKnown: boolean
  mayTest: boolean
  error: unknown
}

function stateOf(run: BacktestState, { isKnown, mayTest, error }: Knowing): BacktestState {
  if (!isKnown && error) return { status: 'failed', error }
  // Until it is known where to test, and until the first effect has run.
  return mayTest && run.status === 'idle' ? { status: 'running' } : run
}

/** Whether the test has ended, and there was something to test the rule on. */
export function isTestedBy({ status, sums }: BacktestState): boolean {
  return status === 'done' && sums !== undefined && Object.values(sums.together.judged).some((count) => count > 0)
}
