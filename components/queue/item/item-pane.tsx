'use client'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { asSentence } from '#components/i18n/as-sentence.ts'
import { useErrorReason } from '#components/kit/states/error-state.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { Banner } from '#components/ui/banner.tsx'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import type { Outcome } from '#server/modules/review/decisions/schema.ts'
import type { ReviewItem } from '#server/modules/review/items/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { allowedOutcomes } from '../acts/decisions/allowed-outcomes.ts'
import { useAnnounceDecision } from '../acts/decisions/use-announce-decision.ts'
import { ReverseButton } from '../acts/reversal/lazy-reverse-button.ts'
import { WaveCard } from '../acts/waves/wave-card.tsx'
import { LeaseLine } from '../claims/lease-avatars.tsx'
import { itemIdOf } from '../state/item-id.ts'
import type { Item } from '../state/use-item.ts'
import { useQueueFilter } from '../state/use-queue-filter.ts'
import { ITEM_HEADING, type Selection } from '../state/use-selection.ts'
import { type BarAct, DecideBar } from './decide-bar.tsx'
import { ItemHead } from './item-head.tsx'
import { ItemTrail } from './item-trail.tsx'
import { DecidedBar, EscalationBanner, RejectedByRulesBanner } from './lazy-parts.ts'
import { SwipeArea } from './swipe/swipe-area.tsx'
import type { ContextDrawer } from './use-context-drawer.ts'

interface ItemPaneProps {
  item: Item
  selection: Selection
  /** The item's place among all that match, counted from one. */
  position: number | undefined
  matching: number | undefined
  isOwnWork: boolean
  isMine: boolean
  onMove: (by: 1 | -1) => void
  context: ContextDrawer
  onDecide: (outcome: Outcome) => void
  onAct: (act: BarAct) => void
  /** Absent where items are reviewed one by one. */
  onOpenWave: (() => void) | undefined
  banners: ReactNode
  toasts: ReactNode
}

/** The whole item, with everything needed to judge it. */
export function ItemPane({
  item,
  selection,
  position,
  matching,
  isOwnWork,
  isMine,
  onMove,
  context,
  onDecide,
  onAct,
  onOpenWave,
  banners,
  toasts,
}: ItemPaneProps) {
  const t = useTranslations('queue')
  const { shown, read, decided } = item
  useAnnounceDecision(item)
  const heading = shown ? t('itemBy', { type: shown.subjectType, author: shown.author.displayName }) : t('noComment')

  return (
    <article
      aria-labelledby={ITEM_HEADING}
      className="flex min-h-0 min-w-0 flex-col group-data-empty/desk:hidden phone:hidden phone:group-data-open/desk:contents print:block!"
    >
      <h2 id={ITEM_HEADING} tabIndex={-1} className="sr-only">
        {heading}
      </h2>
      {shown && (
        <ItemHead
          item={shown}
          post={read?.post}
          selection={selection}
          position={position}
          matching={matching}
          isRejectedByRules={decided?.isByRules}
          onMove={onMove}
          context={context}
        />
      )}
      {banners}
      {shown?.escalation && !decided && <EscalationBanner item={shown} />}
      {shown && decided && <DecidedStrip item={shown} decided={decided} />}
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
        tabIndex={0}
        aria-label={t('thread', { type: shown?.subjectType ?? 'comment' })}
        className="ring-inset flex min-h-0 flex-1 flex-col overflow-auto print:block print:overflow-visible phone:flex-none phone:overflow-visible"
      >
        {shown ? (
          <ItemBody
            key={itemIdOf(shown)}
            item={shown}
            read={read}
            isUnread={item.unread !== null}
            isDecided={decided !== undefined}
            onDecide={onDecide}
          />
        ) : (
          <NoItem item={item} selection={selection} />
        )}
      </section>
      {/* Without a box of its own, the bar stays where it is as a line comes above it. */}
      <div className="contents bg-surface *:shrink-0 phone:sticky phone:bottom-0 phone:block phone:z-2 phone:order-3 print:hidden">
        {toasts}
        {shown && <LeaseLine subject={shown} />}
        {read?.isWaiting && !decided && onOpenWave && (
          <WaveCard key={itemIdOf(read.item)} item={read.item} onOpen={onOpenWave} />
        )}
        {shown && !decided && (
          <DecideBar
            item={shown}
            isOwnWork={isOwnWork}
            isGone={read?.isWaiting === false}
            isMine={isMine}
            onDecide={onDecide}
            onAct={onAct}
          />
        )}
        {shown && decided && <DecidedBar selection={selection} onMove={onMove} />}
      </div>
    </article>
  )
}

interface ItemBodyProps {
  item: QueueItem
  read: ReviewItem | undefined
  /** Whether what surrounds it couldn't be loaded. */
  isUnread: boolean
  isDecided: boolean
  onDecide: (outcome: Outcome) => void
}

function ItemBody({ item, read, isUnread, isDecided, onDecide }: ItemBodyProps) {
  const { view } = useQueueFilter().search
  const [yes, no] = allowedOutcomes(view, item).map((outcome) =>
    !isDecided && item.allowed.includes(outcome) ? outcome : undefined,
  )
  return (
    <SwipeArea outcomes={{ yes, no }} onDecide={onDecide}>
      <div className="pt-4 pe-6 pb-6 ps-5 phone:ps-3 phone:pt-3 phone:pe-4 phone:pb-5">
        <ItemTrail item={item} read={read} isUnread={isUnread} />
      </div>
    </SwipeArea>
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
  if (decided.isByRules) return <RejectedByRulesBanner item={item} decided={decided} />
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
      {decided.reason && ` ${asSentence(t('reason', { reason: decided.reason }))}`}
      {decided.outcome === 'rejected' && ` ${t('isFinal')}`}
    </Banner>
  )
}
