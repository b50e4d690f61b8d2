'use client'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { QueueInput } from '#components/kit/addresses/queue-search.ts'
import { useLive } from '#components/live/live-context.tsx'
import { toRequestError } from '#components/trpc/request-error.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useSend } from '#components/trpc/use-send.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import type { Decided, Outcome } from '#server/modules/review/decisions/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { itemIdOf } from '../../state/item-id.ts'
import { type Decision, keyOf, type Why } from '../../state/store/queue-state.ts'
import { useQueueStore } from '../../state/store/queue-store.tsx'
import { undoable } from '../../state/store/select-queue.ts'
import { useQueueCache } from '../../state/use-queue-cache.ts'
import { isConnectionError } from '../outbox/is-connection-error.ts'
import { untilAnswered } from '../outbox/until-answered.ts'
import { useOutbox } from '../outbox/use-outbox.ts'

export interface Decisions {
  decisions: Decision[]
  /** Returns whether the decision was accepted: an item is decided once, however often the key is pressed. */
  decide: (item: QueueItem, outcome: Outcome, input: QueueInput, more?: More) => boolean
  /** Adds the reason to a rejection that isn't published yet; the latest reason wins. */
  explain: (decision: Decision, why: Why) => void
  /** Resolves to the item, pending again, or undefined if it isn't. */
  undo: (decision: Decision) => Promise<QueueItem | undefined>
  /** Undoes the latest decision of this tab that can be undone, and returns it. */
  undoLast: () => Decision | undefined
  /** Undoes the person's latest decision made in another tab or on another device. Resolves to the id of the item it was about. */
  undoElsewhere: () => Promise<string | undefined>
  dismiss: (decision: Decision) => void
}

type More = Pick<Decision, 'why' | 'isReversal' | 'ledTo'>

/** What a moderator does with decisions. The screen shows each immediately, while it is being sent. */
export function useDecisions(userId: string, decisions: Decision[]): Decisions {
  const t = useTranslations('queue')
  const trpc = useTRPC()
  const cache = useQueueCache()
  const announce = useAnnounce()
  const live = useLive()
  const { dispatch, getState } = useQueueStore()
  const { answers, send, mayHaveArrived } = useOutbox(userId)
  const postReason = useSend(trpc.review.giveReason.mutationOptions())
  const postUndo = useSend(trpc.review.undo.mutationOptions({ onSettled: cache.recountLater }))
  /** Undos that are under way, by decision key. Each resolves to the item, pending again, or undefined if it isn't. */
  const [undos] = useState(() => new Map<string, Promise<QueueItem | undefined>>())
  const postUndoLatest = useSend(trpc.review.undoLatest.mutationOptions({ onSettled: cache.recount }))

  function decide(item: QueueItem, outcome: Outcome, input: QueueInput, more: More = {}): boolean {
    const key = keyOf(item)
    const open = getState().decisions.find((decision) => decision.key === key && isOpen(decision))
    if (open && open.step !== 'undoing') return false

    const made = { decidedAt: Date.now(), clientKey: newKey(), step: 'sending' } as const
    const decision: Decision = { key, item, outcome, input, ...more, ...made }
    dispatch({ type: 'decided', decision })
    count(decision, -1)
    announce(t(`said.${outcome}`, { author: item.author.displayName }))
    send(decision, undos.get(key))
    return true
  }

  function count({ input, item, isReversal }: Decision, by: 1 | -1): void {
    if (!isReversal) cache.count(input, item, by)
  }

  function explain(decision: Decision, why: Why): void {
    const { key, clientKey } = decision
    dispatch({ type: 'explained', clientKey, why })
    announce(t('said.explained', { reason: why.label }))
    // In sequence: the latest reason wins, and an undo comes after it.
    answers.set(key, sendReason(decision, why))
  }

  async function sendReason({ key, clientKey, why: before, item }: Decision, why: Why): Promise<Decided | undefined> {
    const decided = await answers.get(key)
    if (!decided) return undefined
    try {
      await postReason({ decisionId: decided.decisionId, reasonId: why.reasonId, reason: why.reason })
    } catch {
      dispatch({ type: 'explained', clientKey, why: before })
      announce(t('said.notExplained', { author: item.author.displayName }))
    }
    return decided
  }

  async function undo(decision: Decision): Promise<QueueItem | undefined> {
    const { key, clientKey, item, input, isReversal } = decision
    count(decision, 1)
    if (!isReversal) cache.putBack(input, item)
    if (!mayHaveArrived(decision)) {
      dispatch({ type: 'forgotten', clientKey })
      announce(t('said.takenBack', { author: item.author.displayName }))
      return item
    }
    dispatch({ type: 'moved', clientKey, to: 'undoing' })
    const sending = sendUndo(decision)
    undos.set(key, sending)
    const undone = await sending
    if (undos.get(key) === sending) undos.delete(key)
    return undone
  }

  async function sendUndo(decision: Decision): Promise<QueueItem | undefined> {
    const { key, clientKey, item, input, isReversal } = decision
    // The decision has no id before its response arrives.
    const decided = await answers.get(key)
    if (!decided) return undefined

    try {
      const { version } = await untilAnswered(
        live,
        () => postUndo({ decisionId: decided.decisionId }),
        (tries) => tries === 0 && announce(t('said.undoLost', { author: item.author.displayName })),
      )
      if (isReversal) await cache.forgetAuthor()
      else cache.putBack(input, { ...item, version })
      dispatch({ type: 'forgotten', clientKey })
      // What was said last is the newer decision.
      if (!isDecidedAgain(decision)) announce(t('said.takenBack', { author: item.author.displayName }))
      return { ...item, version }
    } catch (error) {
      await reportNotTakenBack(decision, error)
      return undefined
    }
  }

  const isDecidedAgain = ({ key, clientKey }: Decision) =>
    getState().decisions.some((other) => other.key === key && other.clientKey !== clientKey)

  /** The decision stays. A newer one on the same item is dropped: it isn't sent. */
  async function reportNotTakenBack(decision: Decision, error: unknown): Promise<void> {
    const { clientKey, item, isReversal } = decision
    const author = item.author.displayName
    const { code, facts } = toRequestError(error)
    // It waits again already: undone in another tab.
    if (code === 'CONFLICT' && facts && !('decision' in facts) && !isReversal) {
      dispatch({ type: 'forgotten', clientKey })
      await cache.readListsAgain()
      announce(t('said.takenBack', { author }))
      return
    }
    if (!isDecidedAgain(decision)) count(decision, -1)
    dispatch({ type: 'decided', decision: { ...decision, step: 'final' } })
    announce(t('said.tooLate', { author }))
  }

  function undoLast(): Decision | undefined {
    const [last] = undoable(getState().decisions, Date.now())
    if (last) void undo(last)
    return last
  }

  async function undoElsewhere(): Promise<string | undefined> {
    try {
      const undone = await postUndoLatest()
      if (!undone) {
        announce(t('said.nothingToUndo'))
        return undefined
      }
      await cache.readListsAgain()
      if ('bulk' in undone) {
        await cache.readBulks()
        announce(t('said.bulkTakenBack', { count: undone.bulk.total }))
        return undefined
      }
      cache.expire(undone.item)
      announce(t('said.takenBack', { author: undone.authorName }))
      return itemIdOf(undone.item)
    } catch (error) {
      announce(t(isConnectionError(error) ? 'said.undoUnreachable' : 'said.tooLateElsewhere'))
      return undefined
    }
  }

  return {
    decisions,
    decide,
    explain,
    undo,
    undoLast,
    undoElsewhere,
    dismiss: ({ clientKey }) => dispatch({ type: 'dismissed', clientKey }),
  }
}

/** Whether the item can't be decided again. One that failed because of a claim can be made again, on the same version. */
const isOpen = ({ step, facts }: Decision) => step !== 'lost' && facts?.claimedBy === undefined

/** Doesn't use randomUUID, which is missing on pages that are neither encrypted nor local. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
