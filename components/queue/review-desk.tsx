'use client'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useActs } from '#components/keys/acts-context.tsx'
import { bindListKeys, type KeyActs } from '#components/keys/keys.ts'
import { useCombo, useOwnKeys } from '#components/keys/use-own-keys.ts'
import { ActToast } from '#components/kit/acts/act-toast.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { NextFrame } from '#components/ui/next-frame.tsx'
import { useStableCallback } from '#components/ui/use-stable-callback.ts'
import type { Outcome } from '#server/modules/review/queue/schema.ts'
import { DeskActsProvider } from './acts/desk-acts.ts'
import { useItemActs } from './acts/use-item-acts.tsx'
import { loadBulkDesk, useBulk } from './bulk/use-bulk.ts'
import { useStartedBulks } from './bulk/use-started-bulks.ts'
import { ContextPane } from './context-pane.tsx'
import type { BarAct } from './decide-bar.tsx'
import { DecisionToast } from './decision-toast.tsx'
import { FailedDecisionBanners } from './failed-decision-banners.tsx'
import { FilterBar } from './filter/filter-bar.tsx'
import { useFilterEditing } from './filter/use-filter-editing.ts'
import { useIsPhone } from './is-phone.ts'
import { ItemPane } from './item-pane.tsx'
import { LeaseLine } from './leases/lease-avatars.tsx'
import { useHeldLease } from './leases/use-lease.ts'
import { useLiveQueue } from './live/use-live-queue.ts'
import { UnsentBanner } from './outbox/unsent-banner.tsx'
import { QueueList } from './queue-list.tsx'
import { useSkipped } from './skip/use-skipped.ts'
import { useDecisions } from './use-decisions.ts'
import { useItem } from './use-item.ts'
import { useQueue } from './use-queue.ts'
import { useQueueFilter } from './use-queue-filter.ts'
import { useReadAhead } from './use-read-ahead.ts'
import { useSelection } from './use-selection.ts'
import { useTotals } from './use-totals.ts'

const KeySheet = lazyPart(() => import('./key-sheet.tsx').then(({ KeySheet }) => KeySheet), {
  onFailed: ({ onOpenChange }) => onOpenChange(false),
})

const BulkBar = lazyPart(() => import('./bulk/bulk-bar.tsx').then(({ BulkBar }) => BulkBar))
const BulkDesk = lazyPart(loadBulkDesk)

/** List, item and context; on a phone, the list is one page and the item with its context another. */
export function ReviewDesk({ userId }: { userId: string }) {
  const t = useTranslations('queue')
  const { input } = useQueueFilter()
  const decisions = useDecisions(userId)
  const skipped = useSkipped()
  const begun = useStartedBulks()
  const queue = useQueue(input, decisions.decisions, skipped.keys, begun.hidden)
  const selection = useSelection(queue.rows)
  const item = useItem(selection)
  const totals = useTotals()
  const filterEditing = useFilterEditing()
  const ownKeys = useOwnKeys()
  const keysCombo = useCombo('keys')
  const isPhone = useIsPhone()
  const [areKeysShown, setKeysShown] = useState(false)
  const acts = useItemActs({ decisions, selection, item, input, skipped })
  const bulk = useBulk({
    begun,
    decisions: decisions.decisions,
    skipped: skipped.keys,
    lastAct: acts.last,
    queue,
    selection,
    input,
  })
  const { choosing } = bulk
  useReadAhead(queue.rows, selection.index, input.view)
  useLiveQueue(input, queue.rows, selection)
  useHeldLease(item.decided ? undefined : item.shown, selection.isSeen)

  function move(by: 1 | -1): void {
    const itemId = selection.neighbour(by)
    if (itemId) selection.moveTo(itemId)
  }

  const keys: KeyActs = bulk.withChosen({
    ...acts.keys,
    next: () => move(1),
    previous: () => move(-1),
    open: () => selection.currentId && selection.open(selection.currentId),
    back: () => selection.isOpen && selection.close(),
    search: () => filterEditing.edit('text'),
    filters: () => filterEditing.edit('add'),
    keys: () => setKeysShown(true),
  })
  // Keys typed while the search is still loading decide nothing.
  useActs(
    filterEditing.edited || acts.dialog || bulk.asked ? {} : keys,
    item.shown && t('itemBy', { type: item.shown.subjectType, author: item.shown.author.displayName }),
  )

  const decide = useStableCallback((outcome: Outcome) => acts.decide(outcome, { withFocus: false }))
  const act = useStableCallback((name: BarAct) => (name === 'keys' ? setKeysShown(true) : acts.keys[name]('')))

  const press = useStableCallback((combo: string) => {
    const run = bindListKeys(keys, ownKeys)[combo]
    run?.()
    return run !== undefined
  })

  const renderToasts = (place: 'list' | 'item') => (
    <>
      <ActToast last={acts.last} onTakeBack={acts.takeBackAct} onDismiss={acts.dismissAct} />
      <DecisionToast
        place={place}
        decisions={decisions}
        asked={acts.asked}
        onInWords={acts.inWords}
        onTakenBack={selection.moveTo}
      />
    </>
  )

  return (
    <DeskActsProvider value={acts.deskActs}>
      <main
        data-open={selection.isOpen || undefined}
        data-choosing={choosing.isChoosing || undefined}
        className="group/desk flex min-h-0 min-w-0 flex-col bg-surface"
      >
        <FilterBar totals={totals} narrowedTo={queue.narrowedTo} editing={filterEditing} />
        <div className="grid min-h-0 flex-1 grid-cols-[var(--list)_minmax(0,1fr)_var(--context)] tablet:grid-cols-[340px_minmax(0,1fr)] tablet:grid-rows-[minmax(0,1fr)_auto] phone:group-data-open/desk:flex phone:group-data-open/desk:flex-col phone:group-data-open/desk:overflow-auto phone:grid-cols-[minmax(0,1fr)]">
          <QueueList
            queue={queue}
            selection={selection}
            totals={totals}
            skipped={skipped}
            choosing={choosing}
            onKey={press}
            toasts={
              <div className="absolute inset-x-0 bottom-0 z-3">
                <div className="grid gap-2 p-2 empty:hidden">
                  {bulk.isShown && <BulkDesk {...bulk.desk} />}
                  <NextFrame>{renderToasts('list')}</NextFrame>
                </div>
                {choosing.isChoosing && <BulkBar choosing={choosing} onDecide={bulk.open} />}
              </div>
            }
          />
          <ItemPane
            item={item}
            selection={selection}
            matching={totals?.matching}
            isOwnWork={item.shown?.author.userId === userId}
            onMove={move}
            onDecide={decide}
            onAct={act}
            toasts={isPhone && <div className="m-2 mb-0 grid gap-2">{renderToasts('item')}</div>}
            strips={
              <>
                {item.shown && <LeaseLine subject={item.shown} />}
                <UnsentBanner decisions={decisions} />
                <FailedDecisionBanners decisions={decisions} onShow={selection.open} />
              </>
            }
          />
          <ContextPane read={item.read} />
        </div>
        {acts.dialog}
        {areKeysShown && <KeySheet isOpen onOpenChange={setKeysShown} />}
        <p id="queue-keys" className="sr-only">
          {t('keysHint', { key: keysCombo === '?' ? 'question' : (keysCombo ?? 'none') })}
        </p>
      </main>
    </DeskActsProvider>
  )
}
