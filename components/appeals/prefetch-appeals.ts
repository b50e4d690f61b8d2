import { getQueryClient } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'
import { appealOptions } from './appeal-options.ts'
import type { AppealsSearch } from './appeals-search.ts'

/** Prefetches the first paint of the appeals. */
export async function prefetchAppeals(search: AppealsSearch): Promise<void> {
  await getQueryClient().prefetchInfiniteQuery(appealOptions(trpc, search))
}
