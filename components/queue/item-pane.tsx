'use client'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useErrorReason } from '#components/kit/states/error-state.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { Banner } from '#components/ui/banner.tsx'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import type { Outcome, QueueItem, ReviewItem } from '#server/modules/review/queue/schema.ts'
import { type BarAct, DecideBar } from './decide-bar.tsx'
import { ItemHead } from './item-head.tsx'
import { itemIdOf } from './item-id.ts'
import { ItemTrail } from './item-trail.tsx'
import { ReverseButton } from './reversal/reverse-button.tsx'
import type { Item } from './use-item.ts'
import { ITEM_HEADING, type Selection } from './use-selection.ts'

const EscalationStrip = lazyPart(() =>
  import('./escalation/escalation-banner.tsx').then(({ EscalationBanner }) => EscalationBanner),
)

interface ItemPaneProps {
  item: Item
  selection: Selection
  matching: number | undefined
  isOwnWork: boolean
  onMove: (by: 1 | -1) => void
  onDecide: (outcome: Outcome) => void
  onAct: (act: BarAct) => void
  banners: ReactNode
  toasts: ReactNode
}

/** The whole item, with everything needed to judge it. */
export function ItemPane({
  item,
  selection,
  matching,
  isOwnWork,
  onMove,
  onDecide,
  onAct,
  banners,
  toasts,
}: ItemPaneProps) {
  const t = useTranslations('queue')
  const { shown, read, decided } = item
  const heading = shown ? t('itemBy', { type: shown.subjectType, author: shown.author.displayName }) : t('noComment')

  return (
    <article
      aria-labelledby={ITEM_HEADING}
      className="flex min-h-0 min-w-0 flex-col phone:hidden phone:group-data-open/desk:contents"
    >
      <h2 id={ITEM_HEADING} tabIndex={-1} className="sr-only">
        {heading}
      </h2>
      {shown && <ItemHead item={shown} post={read?.post} selection={selection} matching={matching} onMove={onMove} />}
      {banners}
      {shown?.escalation && !decided && <EscalationStrip item={shown} />}
      {shown && decided && <DecidedStrip item={shown} decided={decided} />}
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
        tabIndex={0}
        aria-label={t('thread')}
        className="ring-inset flex min-h-0 flex-1 flex-col overflow-auto phone:flex-none phone:overflow-visible"
      >
        {shown ? (
          <ItemBody key={itemIdOf(shown)} item={shown} read={read} />
        ) : (
          <NoItem item={item} selection={selection} />
        )}
      </section>
      <div className="shrink-0 bg-surface phone:sticky phone:bottom-0 phone:z-2 phone:order-3">
        {toasts}
        {shown && !decided && <DecideBar item={shown} isOwnWork={isOwnWork} onDecide={onDecide} onAct={onAct} />}
      </div>
    </article>
  )
}

function ItemBody({ item, read }: { item: QueueItem; read: ReviewItem | undefined }) {
  return (
    <div className="pt-4 pe-6 pb-6 ps-5 phone:ps-3 phone:pt-3 phone:pe-4 phone:pb-5">
      <ItemTrail item={item} read={read} />
    </div>
  )
}

function NoItem({ item: { error, refetch }, selection }: { item: Item; selection: Selection }) {
  const t = useTranslations('queue')
  const reason = useErrorReason(error)
  if (error) {
    return (
      <EmptyState
        icon={<CircleAlert />}
        title={t('itemFailed')}
        act={
          <>
            <Button onPress={() => void refetch()}>{t('tryAgain')}</Button>
            <Button look="bare" onPress={() => selection.close()}>
              {t('backToList')}
            </Button>
          </>
        }
      >
        {reason}
      </EmptyState>
    )
  }
  return selection.currentId ? <div aria-busy /> : null
}

/** The item is no longer pending: who decided it, how and when. */
function DecidedStrip({ item, decided }: { item: QueueItem; decided: NonNullable<ReviewItem['decided']> }) {
  const t = useTranslations('queue')
  const times = useTimes()
  return (
    <Banner
      kind="info"
      acts={decided.isReversible && <ReverseButton subject={item} author={item.author.displayName} />}
    >
      {t.rich(`decidedBy.${decided.outcome}`, {
        b: (text) => <b>{text}</b>,
        who: decided.decidedByName,
        time: times.brief(decided.decidedAt),
      })}
      {decided.reason && ` ${t('reason', { reason: decided.reason })}`}
      {decided.outcome === 'rejected' && ` ${t('isFinal')}`}
    </Banner>
  )
}
