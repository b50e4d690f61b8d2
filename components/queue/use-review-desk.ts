'use client'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useActs } from '#components/keys/acts-context.tsx'
import { bindListKeys, type KeyActs } from '#components/keys/keys.ts'
import { useOwnKeys } from '#components/keys/use-own-keys.ts'
import { useOpenTitle } from '#components/ui/use-open-title.ts'
import { useStableCallback } from '#components/ui/use-stable-callback.ts'
import type { Outcome } from '#server/modules/review/decisions/schema.ts'
import { useOrphans } from './acts/alike/use-orphans.ts'
import { useBulk } from './acts/bulk/use-bulk.ts'
import { useDecisions } from './acts/decisions/use-decisions.ts'
import { useItemActs } from './acts/use-item-acts.tsx'
import { useHeldLease } from './claims/use-lease.ts'
import type { BarAct } from './item/decide-bar.tsx'
import { useContextDrawer } from './item/use-context-drawer.ts'
import { useLiveQueue } from './list/live/use-live-queue.ts'
import { useQueueState } from './state/store/queue-store.tsx'
import { useOtherTabs } from './state/tabs/use-other-tabs.ts'
import { useEdited } from './state/use-edited.ts'
import { useItem } from './state/use-item.ts'
import { useLook } from './state/use-look.ts'
import { useQueue } from './state/use-queue.ts'
import { useQueueFilter } from './state/use-queue-filter.ts'
import { useReadAhead } from './state/use-read-ahead.ts'
import { useSelection } from './state/use-selection.ts'
import { useFilterEditing } from './views/filter/use-filter-editing.ts'

/** What the queue page shows, and what its keys and buttons do. */
export function useReviewDesk(userId: string) {
  const t = useTranslations('queue')
  const { input } = useQueueFilter()
  const state = useQueueState()
  const tabs = useOtherTabs(userId)
  const decided = useDecisions(userId, state.decisions)
  const decisions = { ...decided, undoElsewhere }
  const queue = useQueue(input, state)
  const selection = useSelection(queue.rows)
  const item = useItem(selection, state.decisions)
  const edited = useEdited(item.decided ? undefined : item.shown, item.read)
  const acts = useItemActs({ userId, decisions, selection, item, edited, input })
  const bulk = useBulk({ state, lastAct: acts.last, queue, selection, input, done: acts.deskActs.done })
  const filterEditing = useFilterEditing()
  const context = useContextDrawer(selection)
  const [areKeysShown, setKeysShown] = useState(false)
  const ownKeys = useOwnKeys()
  const look = useLook(queue.rows, selection.index)
  useReadAhead(queue.rows, selection.index, input.view)
  useOrphans(queue)
  useLiveQueue(input, queue.single, selection)
  useHeldLease(item.decided ? undefined : item.shown, selection.isSeen, look)

  async function undoElsewhere(): Promise<string | undefined> {
    const itemId = await decided.undoElsewhere()
    if (itemId) tabs.undone(itemId)
    return itemId
  }

  async function undoInOtherTab(): Promise<void> {
    const itemId = await undoElsewhere()
    if (itemId) selection.moveTo(itemId)
  }

  function move(by: 1 | -1): void {
    const itemId = selection.neighbour(by)
    if (itemId) selection.moveTo(itemId)
  }

  const keys: KeyActs = bulk.withChosen({
    ...acts.keys,
    next: () => move(1),
    previous: () => move(-1),
    open: () => selection.currentId && selection.open(selection.currentId),
    back: () => (context.isOpen ? context.close() : selection.isOpen && selection.close()),
    context: context.toggle,
    search: () => filterEditing.edit('text'),
    filters: () => filterEditing.edit('add'),
    // Reports are filtered by community and type only.
    ...(input.view !== 'reported' && { dates: () => filterEditing.edit('written') }),
    keys: () => setKeysShown(true),
  })
  // Keys typed while the search is still loading decide nothing.
  const itemName = item.shown && t('itemBy', { type: item.shown.subjectType, author: item.shown.author.displayName })
  useOpenTitle(selection.isOpen ? itemName : undefined)
  useActs(filterEditing.edited || acts.dialog || bulk.asked || bulk.shownAlike || bulk.shownWave ? {} : keys, itemName)

  const decide = useStableCallback((outcome: Outcome) => {
    if (!bulk.decideAlike(outcome, { withFocus: false })) acts.decide(outcome, { withFocus: false })
  })
  const act = useStableCallback((name: BarAct) => (name === 'keys' ? setKeysShown(true) : acts.keys[name]('')))
  /** Returns whether the key did something. */
  const press = useStableCallback((combo: string) => {
    const run = bindListKeys(keys, ownKeys)[combo]
    run?.()
    return run !== undefined
  })

  return {
    decisions,
    queue,
    selection,
    item,
    edited,
    acts,
    bulk,
    filterEditing,
    areKeysShown,
    setKeysShown,
    context,
    tabs: { ...tabs, undo: () => void undoInOtherTab() },
    move,
    decide,
    act,
    press,
  }
}
