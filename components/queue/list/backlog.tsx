'use client'
import { useQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import Link from 'next/link'
import { useTranslations } from 'use-intl'
import { toQueuePath } from '#components/kit/addresses/queue-search.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { IN_BOLD } from '#components/ui/in-bold.tsx'
import { useQueueFilter } from '../state/use-queue-filter.ts'

/** Points to leftover held items where holding is switched off: the largest backlog, or that of the current community. */
export function Backlog() {
  const t = useTranslations('queue.backlog')
  const { search } = useQueueFilter()
  const { data: counts } = useQuery(useTRPC().review.counts.queryOptions())
  const left = (counts?.communities ?? []).filter(
    ({ communityId, isHolding, held }) =>
      !isHolding && held > 0 && (!search.communityId || communityId === search.communityId),
  )
  const [most] = left
  if (!most || search.view !== 'waiting') return null

  return (
    <p className="flex shrink-0 items-center gap-2 border-b border-line bg-sunken px-3 py-1.5 text-small">
      <History className="size-3.5!" />
      <span className="min-w-0 flex-1 wrap-anywhere">
        {t.rich('left', {
          ...IN_BOLD,
          space: most.displayName,
          held: most.held,
        })}
        {left.length > 1 && ` ${t('more', { count: left.length - 1 })}`}
      </span>
      {!search.communityId && (
        <Link
          href={toQueuePath({ communityId: most.communityId, order: 'oldest' })}
          prefetch={false}
          className="inline-flex min-h-6 items-center font-firm whitespace-nowrap"
        >
          {t('workOff')}
        </Link>
      )}
    </p>
  )
}
