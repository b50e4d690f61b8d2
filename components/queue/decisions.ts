import { UNDO_WINDOW_MS } from '#components/kit/acts/undo-window.ts'
import type { QueueInput } from '#components/kit/addresses/queue-search.ts'
import type { ChangedFacts, Outcome, QueueItem } from '#server/modules/review/queue/schema.ts'
import { itemIdOf } from './item-id.ts'

/** Why something is rejected: a managed reason, words of one's own, or both; and what is shown of it. */
export interface Why {
  reasonId?: string
  reason?: string
  label: string
  textToAuthor?: string
}

/** One decision made at this desk in this session. */
export interface Decision {
  key: string
  item: QueueItem
  outcome: Outcome
  /** The list it was decided in: where it comes back to. */
  input: QueueInput
  decidedAt: number
  /** Sent with it, so that it is made once however often it is sent. */
  clientKey: string
  why?: Why | undefined
  /** An approval made into a rejection: it was in no list, and comes back to none. */
  isReversal?: boolean
  /** The item it led on to. */
  ledTo?: string | undefined
  /** `waiting`: the server was not reached, and is tried again. `final`: too late to take back. `overtaken`: somebody was first. `lost`: it never arrived. */
  step: 'sending' | 'waiting' | 'held' | 'undoing' | 'final' | 'overtaken' | 'lost'
  /** Of the one who was first. */
  facts?: ChangedFacts
  isDismissed?: boolean
}

export type DecisionsAct =
  | { type: 'decide'; decision: Decision }
  | { type: 'restore'; decisions: Decision[] }
  | { type: 'wait'; key: string }
  | { type: 'arrive'; key: string; at: number }
  | { type: 'explain'; key: string; why: Why | undefined }
  | { type: 'move'; key: string; to: Decision['step']; facts?: ChangedFacts }
  | { type: 'forget'; key: string }
  | { type: 'dismiss'; key: string }

/** What is held again, or was edited, is another thing to decide. */
export function keyOf(item: Pick<QueueItem, 'subjectType' | 'subjectId' | 'version'>): string {
  return `${itemIdOf(item)} ${item.version}`
}

export function decisionsReducer(decisions: Decision[], act: DecisionsAct): Decision[] {
  switch (act.type) {
    case 'decide':
      return [...decisions.filter(({ key }) => key !== act.decision.key), act.decision]
    case 'restore':
      return [...act.decisions.filter(({ key }) => !decisions.some((known) => known.key === key)), ...decisions]
    // One that is being taken back already stays so.
    case 'wait':
      return change(decisions, act.key, (decision) =>
        decision.step === 'sending' ? { ...decision, step: 'waiting' } : decision,
      )
    case 'arrive':
      return change(decisions, act.key, (decision) => {
        if (decision.step === 'waiting') return { ...decision, step: 'held', decidedAt: act.at }
        return decision.step === 'sending' ? { ...decision, step: 'held' } : decision
      })
    case 'explain':
      return change(decisions, act.key, (decision) => ({ ...decision, why: act.why }))
    case 'move':
      return change(decisions, act.key, (decision) => ({
        ...decision,
        step: act.to,
        ...(act.facts && { facts: act.facts }),
      }))
    case 'forget':
      return decisions.filter(({ key }) => key !== act.key)
    case 'dismiss':
      return change(decisions, act.key, (decision) => ({ ...decision, isDismissed: true }))
  }
}

function change(decisions: Decision[], key: string, into: (decision: Decision) => Decision): Decision[] {
  return decisions.map((decision) => (decision.key === key ? into(decision) : decision))
}

/** Whether the item has left the list: decided here, or found to be decided by somebody else. */
function isGone({ step, facts }: Decision): boolean {
  if (step === 'overtaken') return facts?.decision !== undefined
  return step === 'sending' || step === 'waiting' || step === 'held' || step === 'final'
}

/** The keys of what is gone from the list. */
export function goneKeys(decisions: Decision[]): Set<string> {
  return new Set(decisions.filter(isGone).map(({ key }) => key))
}

/** What can still be taken back, the latest first; what waits to be sent can at any time. */
export function takeable(decisions: Decision[], now: number): Decision[] {
  const isOpen = ({ step, decidedAt }: Decision) =>
    step === 'waiting' || ((step === 'sending' || step === 'held') && now - decidedAt < UNDO_WINDOW_MS)
  return decisions.filter(isOpen).reverse()
}

/** What waits until the server is reached, in the order in which it was decided. */
export function waiting(decisions: Decision[]): Decision[] {
  return decisions.filter(({ step }) => step === 'waiting')
}

/** What went otherwise than meant and has not been waved away. */
export function troubles(decisions: Decision[]): Decision[] {
  return decisions.filter(({ step, isDismissed }) => !isDismissed && (step === 'overtaken' || step === 'lost'))
}
