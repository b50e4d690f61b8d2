import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { loadQueueSearch, toOrderedPath, toQueuePath } from '#components/kit/addresses/queue-search.ts'
import { homePathOf } from '#components/kit/frame/home-path.ts'
import { requireMe } from '#components/kit/frame/require-me.ts'
import { readOwnPreferences } from '#components/preferences/own-preferences.ts'
import { readWords } from '#components/preferences/server-messages.ts'
import { prefetchQueue } from '#components/queue/prefetch-queue.ts'
import { QueueDesk } from '#components/queue/queue-desk.tsx'
import { openDefaultView } from '#components/queue/views/open-default-view.ts'
import { Hydrate } from '#components/trpc/server.tsx'

export async function generateMetadata({ searchParams }: PageProps<'/queue'>): Promise<Metadata> {
  const { view } = loadQueueSearch(await searchParams)
  const t = await readWords()
  return { title: t(`queue.pages.${view}`) }
}

export default async function QueuePage({ searchParams }: PageProps<'/queue'>) {
  const params = await searchParams
  const ordered = toOrderedPath(params)
  if (ordered) redirect(ordered)
  const search = loadQueueSearch(params)
  const me = await requireMe(toQueuePath(search))
  const { zone = 'UTC' } = await readOwnPreferences()
  const home = homePathOf(me)
  // For people who may open nothing but their settings, the page says how to get access.
  if (!me.reviews && home !== '/settings') redirect(home)
  if (me.reviews) {
    await openDefaultView(search)
    await prefetchQueue(search, zone)
  }

  return (
    <Hydrate>
      <QueueDesk />
    </Hydrate>
  )
}
