'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useNow } from '#components/i18n/now.tsx'
import type { KeyActs } from '#components/keys/keys.ts'
import { openHolding } from '#components/kit/acts/hold-keys.ts'
import { reasonsOptions } from '#components/kit/review/reasons-query.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useWarn } from '#components/ui/announcer.tsx'
import type { PreviewedItem } from '#server/modules/review/bulk/schema.ts'
import type { HeldOutcome, Outcome } from '#server/modules/review/decisions/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { EMPTY_SELECTION, selectAll, toggled } from '../../state/selected-items.ts'
import { useQueueStore } from '../../state/store/queue-store.tsx'
import type { Asked, BulkHandle, BulkInput } from './bulk-desk-props.ts'
import { latestUndoable } from './latest-undoable.ts'
import { BulkDesk } from './lazy-bulk-desk.ts'
import { SMALL_GROUP, useDecideGroup } from './use-decide-group.ts'
import { useSelectedItems } from './use-selected-items.ts'

/** Resolves with true; fails in a browser that is offline. */
async function loaded(parts: Promise<unknown>): Promise<true> {
  if (!navigator.onLine) throw new Error('The browser is offline')
  await parts
  return true
}

/** Bulk actions: the selection and the keys that apply to it. Everything else is loaded on first use. */
export function useBulk(at: BulkInput) {
  const { selection } = at
  const { rows } = at.queue
  const t = useTranslations('bulk')
  const warn = useWarn()
  const choosing = useSelectedItems({ ...at, rows })
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const { data: recent = [] } = useQuery(trpc.bulk.recent.queryOptions())
  const [asked, ask] = useState<Asked>()
  const [shownAlike, setShownAlike] = useState<QueueItem>()
  const [shownWave, setShownWave] = useState<QueueItem>()
  const { dispatch } = useQueueStore()
  const alike = at.queue.rows[selection.index]?.alike && selection.current
  const handle = useRef<BulkHandle>(null)
  const keyedId = latestUndoable({ ...at, recent }, useNow().getTime())?.bulkId
  const group = useDecideGroup(at)

  function load(outcome?: HeldOutcome): Promise<unknown> {
    // A digit selects a reason as soon as the dialog is open.
    const reasons = outcome === 'rejected' && queryClient.prefetchQuery(reasonsOptions(trpc))
    return Promise.all([BulkDesk.preload(), reasons])
  }

  /**
   * Decides on the current item together with those that have the same text: on a larger group once it is confirmed, and on any where a reason
   * `isAsked`. Returns whether there are any.
   */
  function decideAlike(outcome: Outcome, { withFocus = true, isAsked = false } = {}): boolean {
    if (!alike?.alike || (outcome !== 'approved' && outcome !== 'rejected')) return false
    if (alike.alike.count <= SMALL_GROUP && !isAsked) {
      void BulkDesk.preload().catch(() => undefined)
      group.decide(outcome, alike, { withFocus })
      return true
    }
    const chosen = toggled(EMPTY_SELECTION, alike)
    openHolding(
      () => loaded(load(outcome)),
      (_, typed) => ask({ outcome, chosen, alike, typed }),
    ).catch(() => warn(t('notLoaded')))
    return true
  }

  function showAlike(): void {
    if (!alike) return
    openHolding(
      () => loaded(load()),
      () => setShownAlike(alike),
    ).catch(() => warn(t('notLoaded')))
  }

  function showWave(): void {
    const { current } = selection
    if (!current) return
    openHolding(
      () => loaded(load()),
      () => setShownWave(current),
    ).catch(() => warn(t('notLoaded')))
  }

  /** Decides on these items of a wave, once confirmed. */
  function decideWave(outcome: HeldOutcome, items: PreviewedItem[], except: PreviewedItem[]): void {
    setShownWave(undefined)
    openHolding(
      () => loaded(load(outcome)),
      (_, typed) => ask({ outcome, chosen: selectAll(items, false), except, typed }),
    ).catch(() => warn(t('notLoaded')))
  }

  function separate(item: QueueItem): void {
    setShownAlike(undefined)
    if (item.alike) dispatch({ type: 'separated', key: item.alike.key })
  }

  function open(outcome: HeldOutcome): void {
    const loadChosen = async () => {
      const [chosen] = await Promise.all([choosing.ready(), loaded(load(outcome))])
      return chosen.items.size > 0 ? { outcome, chosen } : undefined
    }
    openHolding(loadChosen, (loaded, typed) => ask({ ...loaded, typed })).catch(() => warn(t('notLoaded')))
  }

  function chooseNeighbour(by: 1 | -1): void {
    const row = rows[selection.index + by]
    if (row) choosing.chooseTo(row)
  }

  /** Keys that act on the current item act on all selected items instead. */
  function withChosen(others: KeyActs): KeyActs {
    const takeBack = (combo: string) => group.undoLatest() || handle.current?.undoLatest() || others.takeBack?.(combo)
    if (!choosing.isOffered) return { ...others, takeBack }
    const instead = (act: 'approve' | 'reject' | 'inWords', outcome: HeldOutcome) => (combo: string) => {
      if (choosing.hasSome()) open(outcome)
      else if (!decideAlike(outcome, { isAsked: act === 'inWords' })) others[act]?.(combo)
    }
    return {
      ...others,
      choose: () => selection.current && choosing.toggle(selection.current),
      chooseNext: () => chooseNeighbour(1),
      choosePrevious: () => chooseNeighbour(-1),
      chooseAll: choosing.chooseAll,
      ...(alike && { group: showAlike }),
      wave: showWave,
      approve: instead('approve', 'approved'),
      reject: instead('reject', 'rejected'),
      inWords: instead('inWords', 'rejected'),
      takeBack,
      back: (combo) => (choosing.isChoosing ? choosing.clear() : others.back?.(combo)),
    }
  }

  return {
    choosing,
    open,
    asked,
    shownAlike,
    shownWave,
    decideAlike,
    showAlike,
    showWave,
    withChosen,
    keyedId,
    /** Whether there is a bulk dialog or toast to show. */
    isShown: asked !== undefined || shownAlike !== undefined || shownWave !== undefined || recent.length > 0,
    desk: {
      ...at,
      rows,
      choosing,
      recent,
      keyedId,
      asked,
      shownAlike,
      shownWave,
      onDecideWave: decideWave,
      onDecideAlike: (outcome: HeldOutcome) => {
        setShownAlike(undefined)
        decideAlike(outcome)
      },
      onSeparate: separate,
      onClose: () => {
        ask(undefined)
        setShownAlike(undefined)
        setShownWave(undefined)
      },
      ref: handle,
    },
  }
}
