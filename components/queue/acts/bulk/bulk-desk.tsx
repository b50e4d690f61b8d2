'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useImperativeHandle } from 'react'
import { createPortal } from 'react-dom'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import type { BulkProgress, SeenItem } from '#server/modules/review/bulk/schema.ts'
import { itemIdOf } from '../../state/item-id.ts'
import { useQueueStore } from '../../state/store/queue-store.tsx'
import { useQueueCache } from '../../state/use-queue-cache.ts'
import { AlikeDialog } from '../alike/alike-dialog.tsx'
import { isConnectionError } from '../outbox/is-connection-error.ts'
import { useMakeRule } from '../use-make-rule.ts'
import { WaveDialog } from '../waves/wave-dialog.tsx'
import type { BulkDeskProps } from './bulk-desk-props.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import { BulkToasts } from './bulk-toasts.tsx'
import { latestUndoable } from './latest-undoable.ts'
import { endUndo } from './undo-ends-at.ts'
import { useResultMessage } from './use-result-message.ts'

type Dialogs = Pick<
  BulkDeskProps,
  'asked' | 'shownAlike' | 'shownWave' | 'onDecideWave' | 'onDecideAlike' | 'onSeparate'
>

/** Bulk actions, from the confirmation dialog to the result. */
export function BulkDesk({
  asked,
  shownAlike,
  shownWave,
  onDecideWave,
  onDecideAlike,
  onSeparate,
  onClose,
  ref,
  recent,
  keyedId,
  toastsIn,
  ...desk
}: BulkDeskProps) {
  const bulks = useBulks({ recent, onClose, ...desk })
  const makeRule = useMakeRule()
  useImperativeHandle(ref, () => ({ undoLatest: bulks.undoLatest }))
  const toasts = (
    <BulkToasts
      bulks={recent}
      keyedId={keyedId}
      onProgress={bulks.keep}
      onFinished={bulks.finish}
      onUndo={bulks.undo}
    />
  )
  return (
    <>
      {toastsIn ? createPortal(toasts, toastsIn) : toasts}
      {asked && <BulkDialog {...asked} onBegun={bulks.begin} onClose={onClose} />}
      {shownAlike && (
        <AlikeDialog
          item={shownAlike}
          onDecide={onDecideAlike}
          onSeparate={() => onSeparate(shownAlike)}
          onClose={onClose}
        />
      )}
      {shownWave && (
        <WaveDialog
          item={shownWave}
          onDecide={onDecideWave}
          onMakeRule={() => makeRule(shownWave, true)}
          onClose={onClose}
        />
      )}
    </>
  )
}

function useBulks(desk: Omit<BulkDeskProps, keyof Dialogs | 'ref' | 'keyedId' | 'toastsIn'>) {
  const { recent, lastAct, selection, input, choosing, onClose } = desk
  const t = useTranslations('many.said')
  const messageOf = useResultMessage()
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const cache = useQueueCache()
  const { dispatch, getState } = useQueueStore()
  const announce = useAnnounce()
  const undoing = useMutation(trpc.bulk.undo.mutationOptions())

  /** Returns the latest state of a bulk. A response that was sent before an undo doesn't show the undo yet. */
  function keep(progress: BulkProgress): BulkProgress {
    const key = trpc.bulk.recent.queryKey()
    const isSame = ({ bulkId }: BulkProgress) => bulkId === progress.bulkId
    const known = queryClient.getQueryData(key)?.find(isSame)
    if (known?.isUndone && !progress.isUndone) return known
    queryClient.setQueryData(key, (before = []) =>
      known ? before.map((bulk) => (isSame(bulk) ? progress : bulk)) : [progress, ...before],
    )
    return progress
  }

  const startedBulk = (bulkId: string) => getState().bulks.find((bulk) => bulk.bulkId === bulkId)

  /** Removes the items from the list and selects the next one. */
  function begin(progress: BulkProgress, items: SeenItem[], { isRestLeft }: { isRestLeft: boolean }): void {
    const ids = new Set(items.map(itemIdOf))
    const { current } = selection
    const next = selection.nextWithout(ids)
    onClose()
    dispatch({ type: 'bulkStarted', bulk: { bulkId: progress.bulkId, at: Date.now(), input, items, isRestLeft } })
    choosing.clear()
    keep(progress)
    if (current && ids.has(itemIdOf(current))) selection.moveTo(next)
    announce(t(`begun.${progress.outcome}`, { count: items.length }))
  }

  /** Runs when the bulk finishes while the page is open. */
  function finish(progress: BulkProgress): void {
    const { bulkId, refused, isUndone, sanctions } = progress
    const ours = startedBulk(bulkId)
    const stayed = new Set(refused.map(itemIdOf))
    if (ours && !isUndone)
      cache.take(
        ours.input,
        ours.items.filter((item) => !stayed.has(itemIdOf(item))),
      )
    if (ours && isUndone) cache.giveBack(ours.input, ours.items)
    if (!ours || isUndone || ours.isRestLeft) void cache.readListsAgain()
    dispatch({ type: 'bulkEnded', bulkId })
    if (isUndone) endUndo(bulkId, Date.now())
    if (sanctions) void cache.forgetAuthor()
    announce(messageOf(progress))
  }

  async function undo({ bulkId }: BulkProgress): Promise<void> {
    try {
      keep(await undoing.mutateAsync({ bulkId }))
      announce(t('takingBack'))
    } catch (error) {
      if (!isConnectionError(error)) endUndo(bulkId)
      announce(t(isConnectionError(error) ? 'undoLost' : 'tooLate'))
    }
  }

  function undoLatest(): boolean {
    const latest = latestUndoable({ recent, state: getState(), lastAct }, Date.now())
    if (!latest) return false
    void undo(latest)
    return true
  }

  return { keep, begin, finish, undo: (bulk: BulkProgress) => void undo(bulk), undoLatest }
}
