'use client'
import type { ReactElement } from 'react'
import { useTranslations } from 'use-intl'
import type { KeyAct } from '#components/keys/keys.ts'
import { type LastAct, useLastAct } from '#components/kit/acts/use-last-act.ts'
import type { QueueInput } from '#components/kit/addresses/queue-search.ts'
import { usePause } from '#components/kit/wellness/pause-context.tsx'
import type { Outcome } from '#server/modules/review/queue/schema.ts'
import { allowedOutcomes } from '../allowed-outcomes.ts'
import { hasThread, itemIdOf } from '../item-id.ts'
import { useCover } from '../media/use-cover.ts'
import { useAskedReason } from '../reasons/use-asked-reason.ts'
import { useQueueStore } from '../store/queue-store.tsx'
import type { Decisions } from '../use-decisions.ts'
import type { Item } from '../use-item.ts'
import type { Selection } from '../use-selection.ts'
import type { ActName, DeskActs } from './desk-acts.ts'
import { useActDialog } from './use-act-dialog.tsx'

interface ActsInput {
  decisions: Decisions
  selection: Selection
  item: Item
  input: QueueInput
}

type ActKey = Exclude<
  KeyAct,
  'next' | 'previous' | 'open' | 'back' | `choose${string}` | 'search' | 'filters' | 'showText' | 'keys'
>

interface Acts {
  /** For every component on the queue page. */
  deskActs: DeskActs
  keys: Record<ActKey, (combo: string) => void>
  decide: (outcome: Outcome, options: { withFocus: boolean }) => void
  asked: ReturnType<typeof useAskedReason>
  inWords: () => void
  last: LastAct | undefined
  takeBackAct: (act: LastAct) => void
  dismissAct: () => void
  dialog: ReactElement | undefined
}

/** Every act on the current item. */
export function useItemActs({ decisions, selection, item, input }: ActsInput): Acts {
  const t = useTranslations('acts')
  const { dispatch } = useQueueStore()
  const { open, dialog } = useActDialog()
  const { countDecision } = usePause()
  const { last: act, done, takeBack: takeBackAct, dismiss: dismissAct } = useLastAct()
  const cover = useCover(selection.currentId)
  const asked = useAskedReason(decisions, selection.currentId)
  const { shown, decided } = item
  const isHeld = input.view !== 'reported'
  const isWaiting = shown !== undefined && !decided
  // A later decision is undone first.
  const last = act && act.at >= (decisions.decisions.at(-1)?.decidedAt ?? 0) ? act : undefined

  const [yes, no] = allowedOutcomes(input.view)

  const next = () => selection.neighbour(1) ?? selection.neighbour(-1)

  const leave: DeskActs['leave'] = (left) => {
    if (itemIdOf(left) === selection.currentId) selection.moveTo(next())
  }

  function decide(outcome: Outcome, { withFocus }: { withFocus: boolean }): void {
    if (shown && decided?.isReversible && outcome === no) {
      open('reverse', shown)
      return
    }
    if (!shown?.allowed.includes(outcome) || decided) return
    const ledTo = next()
    if (!decisions.decide(shown, outcome, input, { ledTo })) return
    selection.moveTo(ledTo, { withFocus })
    countDecision()
  }

  function skip(): void {
    if (!shown) return
    const itemId = itemIdOf(shown)
    selection.moveTo(next())
    dispatch({ type: 'skipped', item: shown })
    done({
      words: t('skipped', { author: shown.author.displayName }),
      takeBack: async () => {
        dispatch({ type: 'unskipped', item: shown })
        selection.moveTo(itemId)
      },
    })
  }

  function takeBack(): void {
    if (last?.takeBack) {
      takeBackAct(last)
      return
    }
    const taken = decisions.takeBackLast()
    if (taken) selection.moveTo(itemIdOf(taken.item))
  }

  /** Opens the free-text reason: for the rejection just made (after undoing it), otherwise for the current item. */
  function inWords(): void {
    const rejected = asked.askedNow()
    if (rejected) {
      selection.moveTo(itemIdOf(rejected.item))
      open('reject', decisions.takeBack(rejected))
    } else if (isWaiting && shown.allowed.includes(no)) open('reject', shown)
  }

  const openOn = (name: ActName) => () => {
    if (shown) open(name, shown)
  }

  return {
    deskActs: { open, done, leave, show: selection.open, skip, decisions, input, cover },
    keys: {
      approve: () => decide(yes, { withFocus: true }),
      reject: () => decide(no, { withFocus: true }),
      reason: (combo) => asked.give(Number(combo)),
      inWords,
      escalate: () => isWaiting && isHeld && open(shown.escalation ? 'handOver' : 'escalate', shown),
      skip,
      takeBack,
      ban: openOn('ban'),
      note: openOn('note'),
      thread: () => hasThread(shown) && openOn('thread')(),
      uncover: cover.next,
    },
    decide,
    asked,
    inWords,
    last,
    takeBackAct,
    dismissAct,
    dialog,
  }
}
