import memberFace from '@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2'
import type { ReactNode } from 'react'
import { preload } from 'react-dom'
import { readMe } from '#components/kit/frame/require-me.ts'
import { TargetsProvider } from '#components/kit/targets/targets-context.tsx'
import { LiveProvider } from '#components/live/live-context.tsx'
import { QueueFilterProvider } from '#components/queue/views/queue-filter-provider.tsx'
import { QueueNav } from '#components/queue/views/queue-nav.tsx'
import { QueueTabs } from '#components/queue/views/queue-tabs.tsx'
import { QueueWhere } from '#components/queue/views/queue-where.tsx'
import { DeskShell } from '#components/shell/desk-shell.tsx'
import { DeskWhere } from '#components/shell/desk-where.tsx'
import { TopBar } from '#components/shell/top-bar.tsx'
import { getQueryClient, Hydrate } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'

export default async function DeskLayout({ children }: { children: ReactNode }) {
  // For members' texts, as the root layout does for the desk's own.
  preload(memberFace, { as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' })
  const me = await readMe()
  // The page knows its own URL and redirects to sign-in.
  if (!me) return children
  const queryClient = getQueryClient()
  await Promise.all([
    queryClient.prefetchQuery(trpc.review.counts.queryOptions()),
    queryClient.prefetchQuery(trpc.views.list.queryOptions()),
    queryClient.prefetchQuery(trpc.targets.states.queryOptions()),
    me.opens.includes('appeals') && queryClient.prefetchQuery(trpc.appeals.count.queryOptions()),
  ])

  return (
    <Hydrate>
      <LiveProvider me={me}>
        <TargetsProvider>
          <QueueFilterProvider>
            <DeskShell
              top={<TopBar where={<DeskWhere queue={<QueueWhere />} />} />}
              nav={<QueueNav />}
              tabs={<QueueTabs />}
            >
              {children}
            </DeskShell>
          </QueueFilterProvider>
        </TargetsProvider>
      </LiveProvider>
    </Hydrate>
  )
}
