'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { KeyActs } from '#components/keys/keys.ts'
import { openHolding } from '#components/kit/acts/hold-keys.ts'
import type { LastAct } from '#components/kit/acts/use-last-act.ts'
import type { QueueInput } from '#components/kit/addresses/queue-search.ts'
import { reasonsOptions } from '#components/kit/review/reasons-query.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import type { HeldOutcome } from '#server/modules/review/queue/schema.ts'
import type { Decision } from '../decisions.ts'
import type { Queue } from '../use-queue.ts'
import type { Selection } from '../use-selection.ts'
import type { SelectedItems } from './selected-items.ts'
import { useSelectedItems } from './use-selected-items.ts'
import type { useStartedBulks } from './use-started-bulks.ts'

export const loadBulkDesk = () => import('./bulk-desk.tsx').then(({ BulkDesk }) => BulkDesk)

interface BulkInput {
  begun: ReturnType<typeof useStartedBulks>
  decisions: Decision[]
  skipped: ReadonlySet<string>
  lastAct: LastAct | undefined
  queue: Queue
  selection: Selection
  input: QueueInput
}

/** What is asked for, for all that are chosen. */
export interface Asked {
  outcome: HeldOutcome
  chosen: SelectedItems
  /** Keys pressed while it was on its way. */
  typed: string[]
}

/** What the keys of the desk do with bulks that are shown. */
export interface BulkHandle {
  /** Where a bulk is what was done last. Answers whether it was. */
  takeBackLatest: () => boolean
}

/** Deciding many as one: choosing them, and what the keys do meanwhile. All else is loaded when it is first asked for. */
export function useBulk(at: BulkInput) {
  const { selection } = at
  const { rows } = at.queue
  const t = useTranslations('bulk')
  const announce = useAnnounce()
  const choosing = useSelectedItems({ ...at, rows })
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const { data: recent = [] } = useQuery(trpc.bulk.recent.queryOptions())
  const [asked, ask] = useState<Asked>()
  const handle = useRef<BulkHandle>(null)

  function open(outcome: HeldOutcome): void {
    const load = async () => {
      if (!navigator.onLine) throw new Error('The browser is offline')
      // A digit is a reason as soon as there is something to press it in.
      const reasons = outcome === 'rejected' && queryClient.prefetchQuery(reasonsOptions(trpc))
      const [chosen] = await Promise.all([choosing.settled(), loadBulkDesk(), reasons])
      return chosen.items.size > 0 ? { outcome, chosen } : undefined
    }
    openHolding(load, (loaded, typed) => ask({ ...loaded, typed })).catch(() => announce(t('notLoaded')))
  }

  function chooseNeighbour(by: 1 | -1): void {
    const row = rows[selection.index + by]
    if (row) choosing.chooseTo(row)
  }

  /** What these keys do to the item one is on, they do to all that are chosen. */
  function withChosen(others: KeyActs): KeyActs {
    if (!choosing.isOffered)
      return { ...others, takeBack: (combo) => handle.current?.takeBackLatest() || others.takeBack?.(combo) }
    const instead = (act: 'approve' | 'reject' | 'inWords', outcome: HeldOutcome) => (combo: string) =>
      choosing.hasSome() ? open(outcome) : others[act]?.(combo)
    return {
      ...others,
      choose: () => selection.current && choosing.toggle(selection.current),
      chooseNext: () => chooseNeighbour(1),
      choosePrevious: () => chooseNeighbour(-1),
      chooseAll: choosing.chooseAll,
      approve: instead('approve', 'approved'),
      reject: instead('reject', 'rejected'),
      inWords: instead('inWords', 'rejected'),
      takeBack: (combo) => handle.current?.takeBackLatest() || others.takeBack?.(combo),
      back: (combo) => (choosing.isChoosing ? choosing.clear() : others.back?.(combo)),
    }
  }

  return {
    choosing,
    open,
    asked,
    withChosen,
    /** Whether there is something for the desk of bulks to show. */
    isShown: asked !== undefined || recent.length > 0,
    desk: { ...at, rows, choosing, recent, asked, onClose: () => ask(undefined), ref: handle },
  }
}
export type BulkDeskProps = ReturnType<typeof useBulk>['desk']
