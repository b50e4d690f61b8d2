import { redirect } from 'next/navigation'
import { type QueueSearch, toQueuePath } from '#components/kit/addresses/queue-search.ts'
import { getQueryClient, trpc } from '#components/trpc/server.tsx'
import { defaultOf, isBare, toSearch } from './saved-search.ts'

/** Leads on to the default view, where there is one and the address asks for nothing. */
export async function openDefaultView(search: QueueSearch): Promise<void> {
  if (!isBare(search)) return
  const views = await getQueryClient().fetchQuery(trpc.views.list.queryOptions())
  const view = defaultOf(views)
  if (view) redirect(toQueuePath(toSearch(view)))
}
