'use client'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useLive } from '#components/live/live-context.tsx'
import { toRequestError } from '#components/trpc/request-error.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useSend } from '#components/trpc/use-send.ts'
import { afterPaint } from '#components/ui/after-paint.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import type { ChangedFacts, Decided } from '#server/modules/review/decisions/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import type { Decision } from '../../state/store/queue-state.ts'
import { useQueueStore } from '../../state/store/queue-store.tsx'
import { useQueueCache } from '../../state/use-queue-cache.ts'
import { keepUnsent, readUnsent } from './outbox-store.ts'
import { untilAnswered } from './until-answered.ts'

/** The item was decided or edited since it was read (docs/interface/review-queue.md#conflicts). */
const CHANGED = 400409

/**
 * Sends decisions, and retries until there is a response, however long that takes. Unsent decisions are kept over a reload; a rejected
 * decision returns to its position in the list.
 */
export function useOutbox(userId: string) {
  const t = useTranslations('queue')
  const said = useTranslations('outbox')
  const trpc = useTRPC()
  const live = useLive()
  const cache = useQueueCache()
  const announce = useAnnounce()
  const { dispatch, getState, subscribe } = useQueueStore()
  /** By decision key. Undefined if the decision was rejected, which has then been reported. */
  const [answers] = useState(() => new Map<string, Promise<Decided | undefined>>())
  /** The client keys of decisions that may have arrived. */
  const [tried] = useState(() => new Set<string>())
  const postDecision = useSend(trpc.review.decide.mutationOptions({ onSettled: cache.recountLater }))
  const postReversal = useSend(trpc.review.reverse.mutationOptions())
  const postRestored = useSend(trpc.review.restore.mutationOptions())

  const sendLeftOver = useEffectEvent(() => {
    const unsent = readUnsent(userId)
    if (unsent.length === 0) return
    dispatch({ type: 'restored', decisions: unsent })
    for (const decision of unsent) {
      tried.add(decision.clientKey)
      send(decision)
    }
  })
  useEffect(() => {
    sendLeftOver()
    let kept = getState().decisions
    return subscribe(() => {
      const { decisions } = getState()
      if (decisions !== kept) keepUnsent(userId, decisions)
      kept = decisions
    })
  }, [userId, subscribe, getState])

  /** With `undone`, the undo of an earlier decision on the item, it is sent after that. */
  function send(decision: Decision, undone?: Promise<QueueItem | undefined>): void {
    answers.set(decision.key, sendAfter(undone, decision))
  }

  /** The undo changes the item's version. */
  async function sendAfter(
    undone: Promise<QueueItem | undefined> | undefined,
    decision: Decision,
  ): Promise<Decided | undefined> {
    const item = await undone
    return sendUntilAnswered(item ? { ...decision, item } : decision)
  }

  async function sendUntilAnswered(decision: Decision): Promise<Decided | undefined> {
    const { item, clientKey, isReversal } = decision
    // The next item is painted first, as the moderator is waiting for it.
    await afterPaint()
    try {
      const decided = await untilAnswered(
        live,
        async () => (isWanted(clientKey) ? sendOnce(decision) : undefined),
        (tries) => {
          dispatch({ type: 'delayed', clientKey })
          if (tries === 0) announce(said('said', { author: item.author.displayName }))
        },
      )
      if (!decided) return undefined
      dispatch({ type: 'delivered', clientKey, at: Date.now() })
      if (isReversal) void cache.forgetAuthor()
      return decided
    } catch (error) {
      reportFailure(decision, error)
      return undefined
    }
  }

  function sendOnce({ item, outcome, clientKey, why, isReversal }: Decision): Promise<Decided> {
    if (!navigator.onLine) return Promise.reject(new Error('The browser is offline'))
    tried.add(clientKey)
    const { subjectType, subjectId, version, claim } = item
    const given = { subjectType, subjectId, version, clientKey, reasonId: why?.reasonId, reason: why?.reason }
    if (!isReversal) return postDecision({ ...given, outcome, despiteClaimOf: claim?.by.userId })
    return outcome === 'approved' ? postRestored(given) : postReversal(given)
  }

  function reportFailure({ clientKey, item, input, outcome, isReversal }: Decision, error: unknown): void {
    const { wire, facts } = toRequestError(error)
    const author = item.author.displayName
    if (isReversal) void cache.forgetAuthor()
    if (wire !== CHANGED) {
      if (!isReversal) cache.count(input, item, 1)
      dispatch({ type: 'moved', clientKey, to: 'lost' })
      announce(isReversal ? t('said.notReversed', { outcome, author }) : t('said.lost', { author }))
      return
    }
    const changed = (facts ?? {}) as ChangedFacts
    dispatch({ type: 'moved', clientKey, to: 'overtaken', facts: changed })
    announce(overtakenWords(author, changed))
    if (!changed.decision && !isReversal) cache.readItemAgain(input, item).catch(() => undefined)
  }

  function overtakenWords(author: string, { claimedByName: who }: ChangedFacts): string {
    return who ? t('said.claimed', { author, who }) : t('said.overtaken', { author })
  }

  /** A decision that was undone before it was sent is not sent. */
  const isWanted = (clientKey: string) => getState().decisions.some((decision) => decision.clientKey === clientKey)

  return { answers, send, mayHaveArrived: ({ clientKey }: Decision) => tried.has(clientKey) }
}
