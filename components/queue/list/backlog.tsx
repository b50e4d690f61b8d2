'use client'
import { useQuery } from '@tanstack/react-query'
import { History, X } from 'lucide-react'
import Link from 'next/link'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { toQueuePath } from '#components/kit/addresses/queue-search.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import { IN_BOLD } from '#components/ui/in-bold.tsx'
import { useQueueFilter } from '../state/use-queue-filter.ts'

/** Points to leftover held items where holding is switched off: the largest backlog, or that of the current community. What was hidden stays so until the queue is opened again. */
export function Backlog() {
  const t = useTranslations('queue.backlog')
  const { search } = useQueueFilter()
  const { data: counts } = useQuery(useTRPC().review.counts.queryOptions())
  const left = (counts?.communities ?? []).filter(
    ({ communityId, isHolding, held }) =>
      !isHolding && held > 0 && (!search.communityId || communityId === search.communityId),
  )
  const [hidden, setHidden] = useState<string[]>([])
  const [most] = left.filter(({ communityId }) => !hidden.includes(communityId))
  if (!most || search.view !== 'waiting') return null

  return (
    <div className="flex shrink-0 items-center gap-2 border-b border-line bg-sunken py-1 ps-3 pe-1.5 text-small">
      <History className="size-3.5!" />
      <p className="min-w-0 flex-1 wrap-anywhere tablet-low:truncate">
        {t.rich('left', {
          ...IN_BOLD,
          space: most.displayName,
          held: most.held,
        })}
        {left.length > 1 && ` ${t('more', { count: left.length - 1 })}`}
      </p>
      {!search.communityId && (
        <Link
          href={toQueuePath({ communityId: most.communityId, order: 'oldest' })}
          prefetch={false}
          className="inline-flex min-h-6 items-center font-firm whitespace-nowrap"
        >
          {t('workOff')}
        </Link>
      )}
      <Button
        look="icon"
        size="small"
        aria-label={t('hide', { space: most.displayName })}
        onPress={() => setHidden([...hidden, most.communityId])}
      >
        <X />
      </Button>
    </div>
  )
}
