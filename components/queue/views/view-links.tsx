'use client'
import { useQueryClient } from '@tanstack/react-query'
import { Inbox, Star, Users } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { toQueuePath } from '#components/kit/addresses/queue-search.ts'
import { NavLink, SUB } from '#components/kit/frame/nav-link.tsx'
import { useLiveMessages } from '#components/live/live-context.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useQueueFilter } from '../state/use-queue-filter.ts'
import { toSearch } from './saved-search.ts'
import { useViewCounts } from './use-view-counts.ts'
import { useViews } from './use-views.ts'

/** The saved views in the navigation. */
export function ViewLinks() {
  const t = useTranslations('views')
  const views = useViews()
  const { search } = useQueueFilter()
  const countOf = useViewCounts(views)
  useLiveViews()

  return views.map((view) => (
    <li key={view.viewId}>
      <NavLink
        href={toQueuePath(toSearch(view))}
        current={search.savedView === view.viewId ? 'true' : undefined}
        look={SUB}
        title={view.name}
      >
        <bdi className="min-w-0 truncate">{view.name}</bdi>
        <span className="ms-auto flex gap-1 text-ink-3 [&_.lucide]:size-3.5">
          {view.isDefault && <Star role="img" aria-label={t(view.isShared ? 'everyonesDefault' : 'yourDefault')} />}
          {view.queue && <Inbox role="img" aria-label={t(view.queue.isMember ? 'yourQueue' : 'queue')} />}
          {view.isShared && !view.queue && <Users role="img" aria-label={t('shared')} />}
        </span>
        {/* Counts arrive later: their place is kept, so that the signs beside them don't move. */}
        <span className="min-w-[4ch] text-end text-small font-normal text-ink-3 in-aria-[current]:font-firm in-aria-[current]:text-ink">
          {countOf(view)}
        </span>
      </NavLink>
    </li>
  ))
}

const VIEWS_CHANGED = ['desk.views.didChange', 'desk.namedQueue.didChange']

/** Reads the views again when somebody changed a shared one or a named queue. */
function useLiveViews(): void {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  useLiveMessages((message) => {
    if (message.kind === 'event' && VIEWS_CHANGED.includes(message.name))
      void queryClient.invalidateQueries(trpc.views.pathFilter())
  })
}
