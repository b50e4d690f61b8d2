'use client'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useFormatter, useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { ChoiceMenu } from '#components/ui/choice-menu.tsx'
import { NativeButton } from '#components/ui/native-button.tsx'
import { useNavigate } from '#components/ui/use-navigate.ts'
import { useQueueFilter } from '../state/use-queue-filter.ts'
import { usePlaces } from './use-places.ts'
import { heldIn } from './use-totals.ts'

/** The current page of the desk, for the top bar. Where the navigation has no room for them, it leads to the other views of the queue. */
export function QueueWhere() {
  const t = useTranslations('nav')
  const { view } = useQueueFilter().search
  const format = useFormatter()
  const { data: counts } = useQuery(useTRPC().review.counts.queryOptions())
  const go = useNavigate()
  const { states, views, communities } = usePlaces()
  const places = [...states, ...views, ...communities]
  const current = places.find(({ isCurrent }) => isCurrent)
  const state = t(view === 'waiting' ? 'held' : view)
  const count = counts && format.number(heldIn(counts, view))
  return (
    <div className="flex min-w-0 items-center gap-1.5 ps-4 text-ink-3 phone:ps-1">
      <span className="narrow:hidden">{t('queue')}</span>
      <span aria-hidden className="narrow:hidden">
        /
      </span>
      <h1 className="truncate font-bold text-ink narrow:sr-only">{state}</h1>
      <span className="hidden min-w-0 narrow:flex">
        <ChoiceMenu
          label={t('views')}
          choices={places.map(({ path, label, count }) => ({ id: path, label, hint: count }))}
          chosen={current?.path}
          onChoose={go}
        >
          <NativeButton className="flex h-control min-w-0 items-center gap-1.5 rounded-2 px-1.5 text-ink-3 hover:bg-hover coarse:h-10">
            <span className="sr-only">{t('views')}: </span>
            <bdi className="min-w-0 truncate font-bold text-ink">{current?.label ?? state}</bdi>
            <span>{current ? current.count : count}</span>
            <ChevronDown />
          </NativeButton>
        </ChoiceMenu>
      </span>
    </div>
  )
}
