'use client'
import { useMutation } from '@tanstack/react-query'
import { useReducer, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { failureOf } from '#components/trpc/failure.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import type { ChangedFacts, Decided, Outcome, QueueItem } from '#server/modules/review/schema.ts'
import { type Decision, decisionsReducer, keyOf, takeable } from './decisions.ts'
import type { QueueInput } from './queue-search.ts'
import { useQueueCache } from './use-queue-cache.ts'

/** INTERFACE.md has no code for it; CONTRACT.md: the item has changed. */
const CHANGED = 400409

export interface Decisions {
  decisions: Decision[]
  /** Answers whether it was taken up: one item is decided once, however often the key is pressed. */
  decide: (item: QueueItem, outcome: Outcome, input: QueueInput) => boolean
  takeBack: (decision: Decision) => void
  /** Takes the latest one back that still can be, and answers with it. */
  takeBackLast: () => Decision | undefined
  dismiss: (decision: Decision) => void
}

/** Decides at once on the screen while the decision travels; what does not arrive comes back to where it was. */
export function useDecisions(): Decisions {
  const t = useTranslations('queue')
  const trpc = useTRPC()
  const cache = useQueueCache()
  const announce = useAnnounce()
  const [decisions, dispatch] = useReducer(decisionsReducer, [])
  const answers = useRef(new Map<string, Promise<Decided | undefined>>())
  const sending = useMutation(trpc.review.decide.mutationOptions({ onSettled: cache.recount }))
  const undoing = useMutation(trpc.review.undo.mutationOptions({ onSettled: cache.recount }))

  function decide(item: QueueItem, outcome: Outcome, input: QueueInput): boolean {
    const key = keyOf(item)
    if (decisions.some((decision) => decision.key === key && decision.step !== 'lost')) return false

    const decision: Decision = { key, item, outcome, input, decidedAt: Date.now(), step: 'sending' }
    dispatch({ type: 'decide', decision })
    cache.count(input, item, -1)
    announce(t(`said.${outcome}`, { author: item.author.displayName }))
    answers.current.set(key, send(decision))
    return true
  }

  async function send(decision: Decision): Promise<Decided | undefined> {
    const { key, item, outcome } = decision
    try {
      const decided = await sending.mutateAsync({
        subjectType: item.subjectType,
        subjectId: item.subjectId,
        version: item.version,
        outcome,
      })
      dispatch({ type: 'arrive', key })
      return decided
    } catch (error) {
      refuse(decision, error)
      return undefined
    }
  }

  function refuse({ key, item, input }: Decision, error: unknown): void {
    const { wire, facts } = failureOf(error)
    if (wire !== CHANGED) {
      cache.count(input, item, 1)
      dispatch({ type: 'move', key, to: 'lost' })
      announce(t('said.lost', { author: item.author.displayName }))
      return
    }
    const changed = (facts ?? {}) as ChangedFacts
    dispatch({ type: 'move', key, to: 'overtaken', facts: changed })
    announce(t('said.overtaken', { author: item.author.displayName }))
    if (!changed.decision) cache.readAgain(input, item).catch(() => undefined)
  }

  async function undo({ key, item, input }: Decision): Promise<void> {
    dispatch({ type: 'move', key, to: 'undoing' })
    cache.count(input, item, 1)
    // Before its answer is there it has no id; where it was refused, that has been said.
    const decided = await answers.current.get(key)
    if (!decided) return

    try {
      const { version } = await undoing.mutateAsync({ decisionId: decided.decisionId })
      cache.putBack(input, { ...item, version })
      dispatch({ type: 'forget', key })
      announce(t('said.takenBack', { author: item.author.displayName }))
    } catch (error) {
      cache.count(input, item, -1)
      const isAnswered = failureOf(error).code !== undefined
      dispatch({ type: 'move', key, to: isAnswered ? 'final' : 'held' })
      announce(t(isAnswered ? 'said.tooLate' : 'said.undoLost', { author: item.author.displayName }))
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
    takeBack: (decision) => void undo(decision),
    takeBackLast,
    dismiss: ({ key }) => dispatch({ type: 'dismiss', key }),
  }
}
