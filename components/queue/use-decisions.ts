'use client'
import { useEffect, useEffectEvent, useReducer, useRef } from 'react'
import { useTranslations } from 'use-intl'
import type { QueueInput } from '#components/kit/addresses/queue-search.ts'
import { useLive } from '#components/live/live-context.tsx'
import { toRequestError } from '#components/trpc/request-error.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useSend } from '#components/trpc/use-send.ts'
import { afterPaint } from '#components/ui/after-paint.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import type { ChangedFacts, Decided, Outcome, QueueItem } from '#server/modules/review/queue/schema.ts'
import { type Decision, decisionsReducer, keyOf, takeable, type Why } from './decisions.ts'
import { isConnectionError } from './outbox/is-connection-error.ts'
import { keepUnsent, readUnsent } from './outbox/outbox-store.ts'
import { useQueueCache } from './use-queue-cache.ts'

/** The item was decided or edited since it was read (docs/interface/review-queue.md#conflicts). */
const CHANGED = 400409

export interface Decisions {
  decisions: Decision[]
  /** Returns whether the decision was accepted: an item is decided once, however often the key is pressed. */
  decide: (item: QueueItem, outcome: Outcome, input: QueueInput, more?: More) => boolean
  /** Adds the reason to a rejection that isn't published yet; the latest reason wins. */
  explain: (decision: Decision, why: Why) => void
  /** Resolves to the item, pending again, or undefined if it isn't. */
  takeBack: (decision: Decision) => Promise<QueueItem | undefined>
  /** Undoes the latest decision that can be undone, and returns it. */
  takeBackLast: () => Decision | undefined
  dismiss: (decision: Decision) => void
}

type More = Pick<Decision, 'why' | 'isReversal' | 'ledTo'>

/**
 * Updates the screen immediately while the decision is being sent. Without a connection, decisions are kept, over a reload too, and sent
 * until there is a response; a rejected decision returns to its position in the list.
 */
export function useDecisions(userId: string): Decisions {
  const t = useTranslations('queue')
  const said = useTranslations('outbox')
  const trpc = useTRPC()
  const live = useLive()
  const cache = useQueueCache()
  const announce = useAnnounce()
  const [decisions, dispatch] = useReducer(decisionsReducer, [])
  const answers = useRef(new Map<string, Promise<Decided | undefined>>())
  /** By client key: decisions that may have arrived, and those that must not be sent any more. */
  const tried = useRef(new Set<string>())
  const withdrawn = useRef(new Set<string>())
  const postDecision = useSend(trpc.review.decide.mutationOptions({ onSettled: cache.recount }))
  const postReversal = useSend(trpc.review.reverse.mutationOptions())
  const postReason = useSend(trpc.review.giveReason.mutationOptions())
  const postUndo = useSend(trpc.review.undo.mutationOptions({ onSettled: cache.recount }))

  const sendLeftOver = useEffectEvent(() => {
    const unsent = readUnsent(userId)
    if (unsent.length === 0) return
    dispatch({ type: 'restore', decisions: unsent })
    for (const decision of unsent) {
      tried.current.add(decision.clientKey)
      answers.current.set(decision.key, send(decision))
    }
  })
  useEffect(() => sendLeftOver(), [])
  const isLeftOverRead = useRef(false)
  useEffect(() => {
    // On the first run the list is still empty and must not overwrite what an earlier page left.
    if (isLeftOverRead.current) keepUnsent(userId, decisions)
    isLeftOverRead.current = true
  }, [userId, decisions])

  function decide(item: QueueItem, outcome: Outcome, input: QueueInput, more: More = {}): boolean {
    const key = keyOf(item)
    if (decisions.some((decision) => decision.key === key && decision.step !== 'lost')) return false

    const made = { decidedAt: Date.now(), clientKey: newKey(), step: 'sending' } as const
    const decision: Decision = { key, item, outcome, input, ...more, ...made }
    dispatch({ type: 'decide', decision })
    count(decision, -1)
    announce(t(`said.${outcome}`, { author: item.author.displayName }))
    answers.current.set(key, send(decision))
    return true
  }

  function count({ input, item, isReversal }: Decision, by: 1 | -1): void {
    if (!isReversal) cache.count(input, item, by)
  }

  /** Retries until there is a response, however long that takes. */
  async function send(decision: Decision): Promise<Decided | undefined> {
    const { key, item, clientKey, isReversal } = decision
    // The next item is painted first, as the moderator is waiting for it.
    await afterPaint()
    for (let tries = 0; !withdrawn.current.has(clientKey); tries += 1) {
      try {
        const decided = await sendOnce(decision)
        dispatch({ type: 'arrive', key, at: Date.now() })
        if (isReversal) cache.forgetAuthor()
        return decided
      } catch (error) {
        if (!isConnectionError(error)) {
          refuse(decision, error)
          return undefined
        }
      }
      dispatch({ type: 'wait', key })
      if (tries === 0) announce(said('said', { author: item.author.displayName }))
      await live.whenBack()
    }
    return undefined
  }

  function sendOnce({ item, outcome, clientKey, why, isReversal }: Decision): Promise<Decided> {
    if (!navigator.onLine) return Promise.reject(new Error('The browser is offline'))
    tried.current.add(clientKey)
    const { subjectType, subjectId, version } = item
    const given = { subjectType, subjectId, version, clientKey, reasonId: why?.reasonId, reason: why?.reason }
    return isReversal ? postReversal(given) : postDecision({ ...given, outcome })
  }

  function refuse(decision: Decision, error: unknown): void {
    const { key, item, input, isReversal } = decision
    const { wire, facts } = toRequestError(error)
    if (isReversal) cache.forgetAuthor()
    if (wire !== CHANGED) {
      count(decision, 1)
      dispatch({ type: 'move', key, to: 'lost' })
      announce(t(isReversal ? 'said.notReversed' : 'said.lost', { author: item.author.displayName }))
      return
    }
    const changed = (facts ?? {}) as ChangedFacts
    dispatch({ type: 'move', key, to: 'overtaken', facts: changed })
    announce(t('said.overtaken', { author: item.author.displayName }))
    if (!changed.decision && !isReversal) cache.spaceAgain(input, item).catch(() => undefined)
  }

  function explain(decision: Decision, why: Why): void {
    const { key } = decision
    dispatch({ type: 'explain', key, why })
    announce(t('said.explained', { reason: why.label }))
    // In sequence: the latest reason wins, and an undo comes after it.
    answers.current.set(key, sendReason(decision, why))
  }

  async function sendReason({ key, why: before, item }: Decision, why: Why): Promise<Decided | undefined> {
    const decided = await answers.current.get(key)
    if (!decided) return undefined
    try {
      await postReason({ decisionId: decided.decisionId, reasonId: why.reasonId, reason: why.reason })
    } catch {
      dispatch({ type: 'explain', key, why: before })
      announce(t('said.notExplained', { author: item.author.displayName }))
    }
    return decided
  }

  async function undo(decision: Decision): Promise<QueueItem | undefined> {
    const { key, item, input, clientKey, isReversal } = decision
    count(decision, 1)
    if (!isReversal) cache.putBack(input, item)
    if (!tried.current.has(clientKey)) {
      withdrawn.current.add(clientKey)
      dispatch({ type: 'forget', key })
      announce(t('said.takenBack', { author: item.author.displayName }))
      return item
    }
    dispatch({ type: 'move', key, to: 'undoing' })
    // The decision has no id before its response arrives; if it was rejected, that has been reported.
    const decided = await answers.current.get(key)
    if (!decided) return undefined

    try {
      const { version } = await postUndo({ decisionId: decided.decisionId })
      if (isReversal) cache.forgetAuthor()
      else cache.putBack(input, { ...item, version })
      dispatch({ type: 'forget', key })
      announce(t('said.takenBack', { author: item.author.displayName }))
      return { ...item, version }
    } catch (error) {
      count(decision, -1)
      const isAnswered = toRequestError(error).code !== undefined
      dispatch({ type: 'move', key, to: isAnswered ? 'final' : 'held' })
      announce(t(isAnswered ? 'said.tooLate' : 'said.undoLost', { author: item.author.displayName }))
      return undefined
    }
  }

  function takeBackLast(): Decision | undefined {
    const [last] = takeable(decisions, Date.now())
    if (last) void undo(last)
    else announce(t('said.nothingToTakeBack'))
    return last
  }

  return {
    decisions,
    decide,
    explain,
    takeBack: undo,
    takeBackLast,
    dismiss: ({ key }) => dispatch({ type: 'dismiss', key }),
  }
}

/** Doesn't use randomUUID, which is missing on pages that are neither encrypted nor local. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
