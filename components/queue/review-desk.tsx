'use client'
import { lazy, Suspense, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useActs } from '#components/keys/acts-context.tsx'
import { useCombo, useOwnKeys } from '#components/keys/use-own-keys.ts'
import { LeaseLine } from '#components/leases/lease-signs.tsx'
import { useHeldLease } from '#components/leases/use-lease.ts'
import { usePause } from '#components/wellness/pause-context.tsx'
import type { Outcome } from '#server/modules/review/schema.ts'
import { ContextPane } from './context-pane.tsx'
import { FilterBar } from './filter/filter-bar.tsx'
import { useFilterEditing } from './filter/use-filter-editing.ts'
import { idOf } from './item-id.ts'
import { ItemPane } from './item-pane.tsx'
import { bindListKeys, type KeyAct } from './keys.ts'
import { useLiveQueue } from './live/use-live-queue.ts'
import { WaitingStrip } from './outbox/waiting-strip.tsx'
import { QueueList } from './queue-list.tsx'
import { Slip } from './slip.tsx'
import { TroubleStrips } from './trouble-strips.tsx'
import { useDecisions } from './use-decisions.ts'
import { useItem } from './use-item.ts'
import { useQueue } from './use-queue.ts'
import { useQueueFilter } from './use-queue-filter.ts'
import { useReadAhead } from './use-read-ahead.ts'
import { useSelection } from './use-selection.ts'
import { useTotals } from './use-totals.ts'

const KeySheet = lazy(() => import('./key-sheet.tsx').then(({ KeySheet }) => ({ default: KeySheet })))

/** List, item and context; on a phone the list is one page and the item with its context another. */
export function ReviewDesk({ userId }: { userId: string }) {
  const t = useTranslations('queue')
  const { input } = useQueueFilter()
  const decisions = useDecisions(userId)
  const queue = useQueue(input, decisions.decisions)
  const selection = useSelection(queue.rows)
  const item = useItem(selection)
  const totals = useTotals()
  const filterEditing = useFilterEditing()
  const ownKeys = useOwnKeys()
  const keysCombo = useCombo('keys')
  const { countDecision } = usePause()
  const [areKeysShown, setKeysShown] = useState(false)
  useReadAhead(queue.rows, selection.index)
  useLiveQueue(input, queue.rows, selection)
  useHeldLease(item.decided ? undefined : item.shown, selection.isSeen)

  function decide(outcome: Outcome, { withFocus }: { withFocus: boolean }): void {
    if (!item.shown?.allowed.includes(outcome) || item.decided) return
    const next = selection.neighbour(1) ?? selection.neighbour(-1)
    if (!decisions.decide(item.shown, outcome, input)) return
    selection.moveTo(next, { withFocus })
    countDecision()
  }

  function move(by: 1 | -1): void {
    const itemId = selection.neighbour(by)
    if (itemId) selection.moveTo(itemId)
  }

  const acts: Record<Exclude<KeyAct, 'showText'>, () => void> = {
    next: () => move(1),
    previous: () => move(-1),
    open: () => selection.currentId && selection.open(selection.currentId),
    back: () => selection.isOpen && selection.close(),
    approve: () => decide('approved', { withFocus: true }),
    reject: () => decide('rejected', { withFocus: true }),
    takeBack: () => {
      const taken = decisions.takeBackLast()
      if (taken) selection.moveTo(idOf(taken.item))
    },
    search: () => filterEditing.edit('text'),
    filters: () => filterEditing.edit('add'),
    keys: () => setKeysShown(true),
  }
  // What is typed while the search is still on its way decides nothing.
  useActs(filterEditing.edited ? {} : acts, item.shown && t('commentBy', { author: item.shown.author.displayName }))

  return (
    <main data-open={selection.isOpen || undefined} className="group/desk flex min-h-0 min-w-0 flex-col bg-surface">
      <FilterBar totals={totals} narrowedTo={queue.narrowedTo} editing={filterEditing} />
      <div className="grid min-h-0 flex-1 grid-cols-[var(--list)_minmax(0,1fr)_var(--context)] tablet:grid-cols-[340px_minmax(0,1fr)] tablet:grid-rows-[minmax(0,1fr)_auto] phone:group-data-open/desk:flex phone:group-data-open/desk:flex-col phone:group-data-open/desk:overflow-auto phone:grid-cols-[minmax(0,1fr)]">
        <QueueList
          queue={queue}
          selection={selection}
          totals={totals}
          keys={bindListKeys(acts, ownKeys)}
          slip={<Slip place="list" decisions={decisions} onTakenBack={selection.moveTo} />}
        />
        <ItemPane
          item={item}
          selection={selection}
          matching={totals?.matching}
          isOwnWork={item.shown?.author.userId === userId}
          onMove={move}
          onDecide={(outcome) => decide(outcome, { withFocus: false })}
          onKeys={acts.keys}
          slip={<Slip place="item" decisions={decisions} onTakenBack={selection.moveTo} />}
          strips={
            <>
              {item.shown && <LeaseLine subject={item.shown} />}
              <WaitingStrip decisions={decisions} />
              <TroubleStrips decisions={decisions} onShow={selection.open} />
            </>
          }
        />
        <ContextPane read={item.read} />
      </div>
      {areKeysShown && (
        <Suspense>
          <KeySheet isOpen onOpenChange={setKeysShown} />
        </Suspense>
      )}
      <p id="queue-keys" className="sr-only">
        {t('keysHint', { key: keysCombo === '?' ? 'question' : (keysCombo ?? 'none') })}
      </p>
    </main>
  )
}
