import { UNDO_WINDOW_MS } from '#components/kit/acts/undo-window.ts'
import type { QueueInput } from '#components/kit/addresses/queue-search.ts'
import type { ChangedFacts, Outcome, QueueItem } from '#server/modules/review/queue/schema.ts'
import { itemIdOf } from './item-id.ts'

/** Why an item is rejected: a managed reason, free text, or both, and the text that is shown. */
export interface Why {
  reasonId?: string
  reason?: string
  label: string
  textToAuthor?: string
}

/** One decision made on this page in this session. */
export interface Decision {
  key: string
  item: QueueItem
  outcome: Outcome
  /** The list the item was decided in, and returns to after an undo. */
  input: QueueInput
  decidedAt: number
  /** The idempotency key: the decision is made once, however often it is sent. */
  clientKey: string
  why?: Why | undefined
  /** A rejection of something approved earlier: it was in no list and returns to none. */
  isReversal?: boolean
  /** The item selected next. */
  ledTo?: string | undefined
  /**
   * `waiting`: connection lost, will retry. `final`: too late to undo. `overtaken`: somebody else decided first. `lost`: it never arrived.
   */
  step: 'sending' | 'waiting' | 'held' | 'undoing' | 'final' | 'overtaken' | 'lost'
  /** The earlier decision by somebody else. */
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

/** An item that is held again or was edited needs a new decision. */
export function keyOf(item: Pick<QueueItem, 'subjectType' | 'subjectId' | 'version'>): string {
  return `${itemIdOf(item)} ${item.version}`
}

export function decisionsReducer(decisions: Decision[], act: DecisionsAct): Decision[] {
  switch (act.type) {
    case 'decide':
      return [...decisions.filter(({ key }) => key !== act.decision.key), act.decision]
    case 'restore':
      return [...act.decisions.filter(({ key }) => !decisions.some((known) => known.key === key)), ...decisions]
    // A decision that is already being undone stays in that step.
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

/** Whether the item has left the list: decided here, or by somebody else. */
function isGone({ step, facts }: Decision): boolean {
  if (step === 'overtaken') return facts?.decision !== undefined
  return step === 'sending' || step === 'waiting' || step === 'held' || step === 'final'
}

/** The keys of the items that left the list. */
export function goneKeys(decisions: Decision[]): Set<string> {
  return new Set(decisions.filter(isGone).map(({ key }) => key))
}

/** Decisions that can still be undone, latest first. Unsent decisions can always be undone. */
export function takeable(decisions: Decision[], now: number): Decision[] {
  const isOpen = ({ step, decidedAt }: Decision) =>
    step === 'waiting' || ((step === 'sending' || step === 'held') && now - decidedAt < UNDO_WINDOW_MS)
  return decisions.filter(isOpen).reverse()
}

/** Decisions to send once the connection is back, in the order they were made. */
export function waiting(decisions: Decision[]): Decision[] {
  return decisions.filter(({ step }) => step === 'waiting')
}

/** Failed decisions that haven't been dismissed. */
export function troubles(decisions: Decision[]): Decision[] {
  return decisions.filter(({ step, isDismissed }) => !isDismissed && (step === 'overtaken' || step === 'lost'))
}
