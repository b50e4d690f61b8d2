'use client'
import { useQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { type QueueSearch, toQueuePath } from '#components/kit/addresses/queue-search.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { QueueView } from '#server/modules/review/queue/schema.ts'
import { useQueueFilter } from '../state/use-queue-filter.ts'
import { defaultOf, NO_VIEW, toSearch } from './saved-search.ts'
import { heldIn } from './use-totals.ts'
import { useViewCounts } from './use-view-counts.ts'
import { useViews } from './use-views.ts'

/** A part of the queue with an address of its own. */
export interface Place {
  path: string
  label: string
  /** How many items it has, once known. */
  count: string | undefined
  isCurrent: boolean
}

export interface Places {
  /** What is held, claimed by oneself, reported and escalated. */
  states: Place[]
  /** Saved views and named queues. */
  views: Place[]
  communities: Place[]
}

const STATES = ['waiting', 'mine', 'reported', 'escalated'] as const satisfies QueueView[]

/** Everything in the queue that the navigation, its menu on small screens and the palette lead to: one list for all of them. */
export function usePlaces(): Places {
  const t = useTranslations('nav')
  const format = useFormatter()
  const { search } = useQueueFilter()
  const { data: counts } = useQuery(useTRPC().review.counts.queryOptions())
  const views = useViews()
  const countOf = useViewCounts(views)
  const isInView = views.some(({ viewId }) => viewId === search.savedView)
  // Where a default view exists, showing all held items has to be explicit.
  const held: Partial<QueueSearch> = defaultOf(views) ? { savedView: NO_VIEW } : {}
  return {
    states: STATES.map((view) => ({
      path: toQueuePath(view === 'waiting' ? held : { view }),
      label: t(view === 'waiting' ? 'held' : view),
      count: counts && format.number(heldIn(counts, view)),
      isCurrent: search.view === view && !search.communityId && !isInView,
    })),
    views: views.map((view) => ({
      path: toQueuePath(toSearch(view)),
      label: view.name,
      count: countOf(view),
      isCurrent: search.savedView === view.viewId,
    })),
    communities: (counts?.communities ?? [])
      .toSorted((a, b) => a.displayName.localeCompare(b.displayName) || a.communityId.localeCompare(b.communityId))
      .map(({ communityId, displayName, held }) => ({
        path: toQueuePath({ communityId }),
        label: displayName,
        count: format.number(held),
        isCurrent: search.communityId === communityId && !isInView,
      })),
  }
}
