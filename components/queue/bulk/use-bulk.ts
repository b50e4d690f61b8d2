'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { KeyActs } from '#components/keys/keys.ts'
import { openHolding } from '#components/kit/acts/hold-keys.ts'
import { reasonsOptions } from '#components/kit/review/reasons-query.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import type { HeldOutcome } from '#server/modules/review/queue/schema.ts'
import type { Asked, BulkHandle, BulkInput } from './bulk-desk-props.ts'
import { useSelectedItems } from './use-selected-items.ts'

export const loadBulkDesk = () => import('./bulk-desk.tsx').then(({ BulkDesk }) => BulkDesk)

/** Bulk actions: the selection and the keys that apply to it. Everything else is loaded on first use. */
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
      // A digit selects a reason as soon as the dialog is open.
      const reasons = outcome === 'rejected' && queryClient.prefetchQuery(reasonsOptions(trpc))
      const [chosen] = await Promise.all([choosing.ready(), loadBulkDesk(), reasons])
      return chosen.items.size > 0 ? { outcome, chosen } : undefined
    }
    openHolding(load, (loaded, typed) => ask({ ...loaded, typed })).catch(() => announce(t('notLoaded')))
  }

  function chooseNeighbour(by: 1 | -1): void {
    const row = rows[selection.index + by]
    if (row) choosing.chooseTo(row)
  }

  /** Keys that act on the current item act on all selected items instead. */
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
    /** Whether there is a bulk dialog or toast to show. */
    isShown: asked !== undefined || recent.length > 0,
    desk: { ...at, rows, choosing, recent, asked, onClose: () => ask(undefined), ref: handle },
  }
}
