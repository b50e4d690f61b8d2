'use client'
import { useQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useQueueFilter } from './use-queue-filter.ts'
import { heldIn } from './use-totals.ts'

/** The current page of the desk, for the top bar. */
export function QueueWhere() {
  const t = useTranslations('nav')
  const format = useFormatter()
  const { view } = useQueueFilter().search
  const { data: counts } = useQuery(useTRPC().review.counts.queryOptions())
  return (
    <div className="flex min-w-0 items-center gap-1.5 ps-4 text-ink-3 phone:ps-1">
      <span className="phone:hidden">{t('queue')}</span>
      <span aria-hidden className="phone:hidden">
        /
      </span>
      <h1 className="truncate font-bold text-ink">{t(view === 'waiting' ? 'held' : view)}</h1>
      {counts && <span>{format.number(heldIn(counts, view))}</span>}
    </div>
  )
}
