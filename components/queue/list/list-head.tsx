'use client'
import { ArrowUp, ChevronDown, ListChecks, Rows3 } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { type Order, ordersOf } from '#components/kit/addresses/queue-search.ts'
import { usePreferences } from '#components/preferences/preferences-context.tsx'
import { Button } from '#components/ui/button.tsx'
import { ChoiceMenu } from '#components/ui/choice-menu.tsx'
import { NativeButton } from '#components/ui/native-button.tsx'
import type { Choosing } from '../acts/bulk/use-selected-items.ts'
import { SkippedButton } from '../acts/skipped-button.tsx'
import { ARRIVALS_SEEN } from '../state/queue-queries.ts'
import type { Queue } from '../state/use-queue.ts'
import { useQueueFilter } from '../state/use-queue-filter.ts'
import { OwnDay } from '../views/own-day.tsx'
import { useArrivals } from './use-arrivals.ts'

const SWITCH =
  'size-control place-items-center rounded-2 text-ink-2 hover:bg-hover hover:text-ink aria-pressed:bg-selected aria-pressed:text-ink'

interface ListHeadProps {
  queue: Queue
  choosing: Choosing
  onShowNew: () => void
}

/** Sort order, number of new items, and row density. */
export function ListHead({ queue, choosing, onShowNew }: ListHeadProps) {
  const t = useTranslations('queue')
  const { search, narrow } = useQueueFilter()
  const { preferences, change } = usePreferences()
  const arrivals = useArrivals(queue)
  const of = search.view === 'reported' ? 'reported' : 'held'
  const labelOf = (order: Order) =>
    order === 'urgent' || order === 'score' ? t(`orders.${order}`) : t(`orders.${of}.${order}`)
  const isCompact = preferences.density === 'compact'

  return (
    <div className="flex h-[max(38px,calc(var(--control)+6px))] shrink-0 items-center gap-2 border-b border-line px-3">
      <ChoiceMenu
        label={t('order')}
        choices={ordersOf(search).map((id) => ({ id, label: labelOf(id) }))}
        chosen={search.order}
        onChoose={(order) => narrow({ order })}
      >
        <Button look="bare" className="-ms-1">
          {labelOf(search.order)}
          <ChevronDown className="size-3.5" />
        </Button>
      </ChoiceMenu>
      <OwnDay />
      <span className="ms-auto" />
      <SkippedButton count={queue.skipped} />
      {arrivals.count > 0 && (
        <NativeButton
          onPress={() => void arrivals.show().then(onShowNew)}
          className="inline-flex h-6 items-center gap-[5px] rounded-full bg-accent px-[9px] text-small font-firm text-on-accent hover:bg-accent-hover forced-colors:border"
        >
          <ArrowUp className="size-3.5" />
          {t(arrivals.count >= ARRIVALS_SEEN ? 'manyNew' : 'new', { count: arrivals.count })}
        </NativeButton>
      )}
      {choosing.isOffered && (
        <NativeButton
          aria-label={t('chooseSeveral')}
          aria-pressed={choosing.isOn}
          onPress={choosing.isOn ? choosing.clear : choosing.turnOn}
          className={`hidden coarse:grid ${SWITCH}`}
        >
          <ListChecks />
        </NativeButton>
      )}
      <NativeButton
        aria-label={t('compactRows')}
        aria-pressed={isCompact}
        onPress={() => change({ density: isCompact ? 'comfortable' : 'compact' })}
        className={`grid ${SWITCH}`}
      >
        <Rows3 />
      </NativeButton>
    </div>
  )
}
