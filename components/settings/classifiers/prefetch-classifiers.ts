import { getQueryClient } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'

/** Prefetches the first paint of the list of classifiers. */
export function prefetchClassifiers(): Promise<void> {
  return getQueryClient().prefetchQuery(trpc.classifiers.list.queryOptions())
}
