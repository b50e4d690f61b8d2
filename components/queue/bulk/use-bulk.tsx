'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentType, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import type { BulkProgress } from '#server/modules/bulk/schema.ts'
import type { Outcome } from '#server/modules/review/schema.ts'
import { openHolding } from '../acts/hold-keys.ts'
import type { LastAct } from '../acts/use-last-act.ts'
import { type Decision, takeable } from '../decisions.ts'
import { idOf } from '../item-id.ts'
import type { KeyActs } from '../keys.ts'
import { isUnreached } from '../outbox/is-unreached.ts'
import type { QueueInput } from '../queue-search.ts'
import type { Queue } from '../use-queue.ts'
import { useQueueCache } from '../use-queue-cache.ts'
import type { Selection } from '../use-selection.ts'
import type { BulkDialogProps } from './bulk-dialog.tsx'
import { endUndo, isTakeable } from './undo-ends-at.ts'
import type { useBegun } from './use-begun.ts'
import { useChosen } from './use-chosen.ts'

interface BulkInput {
  begun: ReturnType<typeof useBegun>
  decisions: Decision[]
  skipped: ReadonlySet<string>
  lastAct: LastAct | undefined
  queue: Queue
  selection: Selection
  input: QueueInput
}

interface Opened extends Omit<BulkDialogProps, 'onBegun' | 'onClose'> {
  Dialog: ComponentType<BulkDialogProps>
}

/** Deciding many as one: what is chosen, what is going on, and taking all of it back. */
export function useBulk({ begun, decisions, skipped, lastAct, queue: { rows }, selection, input }: BulkInput) {
  const t = useTranslations('bulk')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const cache = useQueueCache()
  const announce = useAnnounce()
  const [opened, setOpened] = useState<Opened>()
  const { data: recent = [] } = useQuery(trpc.bulk.recent.queryOptions())
  const choosing = useChosen({ input, rows, decisions, skipped, selection })
  const undoing = useMutation(trpc.bulk.undo.mutationOptions())

  function open(outcome: Outcome): void {
    const load = async () => {
      const [{ BulkDialog: Dialog }, chosen] = await Promise.all([import('./bulk-dialog.tsx'), choosing.settled()])
      return chosen.items.size > 0 ? { Dialog, outcome, chosen } : undefined
    }
    openHolding(load, setOpened).catch(() => announce(t('notLoaded')))
  }

  /** What is known of a bulk now. */
  function keep(progress: BulkProgress): void {
    queryClient.setQueryData(trpc.bulk.recent.queryKey(), (before = []) =>
      before.some(({ bulkId }) => bulkId === progress.bulkId)
        ? before.map((bulk) => (bulk.bulkId === progress.bulkId ? progress : bulk))
        : [progress, ...before],
    )
  }

  const begin: BulkDialogProps['onBegun'] = (progress, items) => {
    const ids = new Set(items.map(idOf))
    const isLeft = (row: (typeof rows)[number]) => !ids.has(idOf(row))
    const { current, index } = selection
    const next = rows.slice(index).find(isLeft) ?? rows.slice(0, index).findLast(isLeft)
    setOpened(undefined)
    begun.begin({ bulkId: progress.bulkId, at: Date.now(), input, items })
    choosing.clear()
    keep(progress)
    if (current && !isLeft(current)) selection.moveTo(next && idOf(next))
    announce(t(`said.begun.${progress.outcome}`, { count: items.length }))
  }

  /** It has come to its end while one looked on. */
  function finish(progress: BulkProgress): void {
    const { bulkId, outcome, done, undone, refused, isUndone } = progress
    const ours = begun.all.find((one) => one.bulkId === bulkId)
    const stayed = new Set(refused.map(idOf))
    if (ours && !isUndone)
      cache.take(
        ours.input,
        ours.items.filter((item) => !stayed.has(idOf(item))),
      )
    else void cache.readListsAgain()
    begun.end(bulkId)
    const said = isUndone ? t('said.takenBack', { count: undone }) : t(`said.done.${outcome}`, { count: done })
    announce(refused.length > 0 ? `${said} ${t('said.refused', { count: refused.length })}` : said)
  }

  async function takeBack({ bulkId }: BulkProgress): Promise<void> {
    try {
      keep(await undoing.mutateAsync({ bulkId }))
      announce(t('said.takingBack'))
    } catch (error) {
      if (!isUnreached(error)) endUndo(bulkId)
      announce(t(isUnreached(error) ? 'said.undoLost' : 'said.tooLate'))
    }
  }

  /** Where it is what was done last. Answers whether it was. */
  function takeBackLatest(): boolean {
    const now = Date.now()
    const latest = recent.find((bulk) => isTakeable(bulk, now))
    if (!latest) return false
    const at = begun.all.find(({ bulkId }) => bulkId === latest.bulkId)?.at ?? 0
    if ((lastAct?.at ?? 0) > at || takeable(decisions, now).some(({ decidedAt }) => decidedAt > at)) return false
    void takeBack(latest)
    return true
  }

  function chooseNeighbour(by: 1 | -1): void {
    const row = rows[selection.index + by]
    if (row) choosing.chooseTo(row)
  }

  const keys: KeyActs = {
    choose: () => selection.current && choosing.toggle(selection.current),
    chooseNext: () => chooseNeighbour(1),
    choosePrevious: () => chooseNeighbour(-1),
    chooseAll: choosing.chooseAll,
  }
  /** What these keys do to the item one is on, they do to what is chosen. */
  function withChosen(others: KeyActs): KeyActs {
    const instead = (act: 'approve' | 'reject' | 'inWords', outcome: Outcome) => (combo: string) =>
      choosing.hasSome() ? open(outcome) : others[act]?.(combo)
    return {
      ...others,
      ...keys,
      approve: instead('approve', 'approved'),
      reject: instead('reject', 'rejected'),
      inWords: instead('inWords', 'rejected'),
      takeBack: (combo) => takeBackLatest() || others.takeBack?.(combo),
      back: (combo) => (choosing.isChoosing ? choosing.clear() : others.back?.(combo)),
    }
  }

  return {
    choosing,
    recent,
    dialog: opened && <opened.Dialog {...opened} onBegun={begin} onClose={() => setOpened(undefined)} />,
    open,
    begin,
    keep,
    finish,
    takeBack: (bulk: BulkProgress) => void takeBack(bulk),
    withChosen,
  }
}
export type Bulk = ReturnType<typeof useBulk>
