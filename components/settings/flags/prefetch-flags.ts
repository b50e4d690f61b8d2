import { getQueryClient } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'
import type { Me } from '#server/modules/accounts/access/schema.ts'

/** Prefetches the first paint of the flags page. */
export async function prefetchFlags(me: Me): Promise<void> {
  const queryClient = getQueryClient()
  await Promise.all([
    queryClient.prefetchQuery(trpc.settings.flags.queryOptions()),
    queryClient.prefetchQuery(trpc.lists.kept.queryOptions({ list: 'allow' })),
    queryClient.prefetchQuery(trpc.lists.kept.queryOptions({ list: 'block' })),
    ...(me.opens.includes('audit') ? [queryClient.prefetchQuery(trpc.reports.list.queryOptions({}))] : []),
  ])
}
