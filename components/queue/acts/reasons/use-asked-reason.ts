'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { UNDO_WINDOW_MS } from '#components/kit/acts/undo-window.ts'
import { reasonsOptions } from '#components/kit/review/reasons-query.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import type { RejectionReason } from '#server/modules/network/reasons/schema.ts'
import type { Decision, Why } from '../../state/store/queue-state.ts'
import { isRemoval } from '../decisions/allowed-outcomes.ts'
import type { Decisions } from '../decisions/use-decisions.ts'

/** The rejection just made, for as long as the item that followed it is current: a digit sets its reason. */
export function useAskedReason(decisions: Decisions, currentId: string | undefined) {
  const t = useTranslations('reasons')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const asked = askedOf(decisions.decisions, currentId)
  /** Only within the undo time, before the decision is published. */
  const askedNow = () => (asked && Date.now() - asked.decidedAt < UNDO_WINDOW_MS ? asked : undefined)

  /** `digit` counts from 1; the reasons may still be loading. */
  async function give(digit: number): Promise<void> {
    const rejected = askedNow()
    if (!rejected) return
    try {
      const reason = (await queryClient.ensureQueryData(reasonsOptions(trpc)))[digit - 1]
      if (reason) decisions.explain(rejected, toWhy(reason))
      else announce(t('noSuch', { digit }))
    } catch {
      announce(t('notRead'))
    }
  }

  return { asked, askedNow, give: (digit: number) => void give(digit) }
}

function toWhy({ reasonId, label, textToAuthor }: RejectionReason): Why {
  return { reasonId, label, ...(textToAuthor && { textToAuthor }) }
}

function askedOf(decisions: Decision[], currentId: string | undefined): Decision | undefined {
  const latest = decisions.findLast(({ step }) => step === 'sending' || step === 'held')
  const isAsked =
    latest && isRemoval(latest.outcome) && !latest.isReversal && !latest.why?.reason && latest.ledTo === currentId
  return isAsked ? latest : undefined
}
