import { redirect } from 'next/navigation'
import { type QueueSearch, toQueuePath } from '#components/kit/addresses/queue-search.ts'
import { getQueryClient } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'
import { defaultOf, isUnfiltered, toSearch } from './saved-search.ts'

/** Redirects to the default view, if one exists and the URL requests nothing else. */
export async function openDefaultView(search: QueueSearch): Promise<void> {
  if (!isUnfiltered(search)) return
  const views = await getQueryClient().fetchQuery(trpc.views.list.queryOptions())
  const view = defaultOf(views)
  if (view) redirect(toQueuePath(toSearch(view)))
}
