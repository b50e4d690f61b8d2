'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { HeldAuthor, QueueFacets, QueuePage } from '#server/modules/review/queue/schema.ts'
import type { QueuePages } from '../../state/queue-queries.ts'
import { useQueueFilter } from '../../state/use-queue-filter.ts'
import { useViews } from '../use-views.ts'

/** Names of the ids in the filters. */
export interface Names {
  community: string | undefined
  post: string | undefined
  author: string | undefined
  rule: string | undefined
  queue: string | undefined
}

/** Collected from every response so far, so that a name stays while another list loads. Falls back to the id. */
export function useNames(narrowedTo: QueuePage['narrowedTo'] | undefined): Names {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const { communityId, postId, authorId, queueId, ruleId } = useQueueFilter().search
  const { data: counts } = useQuery(trpc.review.counts.queryOptions())

  const lists = queryClient.getQueriesData<QueuePages | QueuePage>(trpc.review.queue.pathFilter())
  const narrowed = [
    narrowedTo,
    ...lists.map(([, list]) => list && ('pages' in list ? list.pages[0] : list)?.narrowedTo),
  ]
  const found = queryClient
    .getQueriesData<HeldAuthor[]>(trpc.review.authors.pathFilter())
    .flatMap(([, authors]) => authors ?? [])
  const authors = [...found, ...narrowed.flatMap((names) => names?.author ?? [])]
  const views = useViews()
  const facets = queryClient.getQueriesData<QueueFacets>(trpc.review.facets.pathFilter())
  const rules = [
    ...facets.flatMap(([, known]) => known?.rules ?? []),
    ...narrowed.flatMap((names) => names?.rule ?? []),
  ]
  const communities = [...(counts?.communities ?? []), ...narrowed.flatMap((names) => names?.community ?? [])]
  const posts = narrowed.flatMap((names) => names?.post ?? [])

  return {
    community: communities.find((one) => one.communityId === communityId)?.displayName ?? communityId ?? undefined,
    post: posts.find((one) => one.postId === postId)?.title ?? postId ?? undefined,
    author: authors.find((one) => one.userId === authorId)?.displayName ?? authorId ?? undefined,
    rule: rules.find((one) => one.ruleId === ruleId)?.name ?? ruleId ?? undefined,
    queue: views.find(({ viewId }) => viewId === queueId)?.name ?? queueId ?? undefined,
  }
}
