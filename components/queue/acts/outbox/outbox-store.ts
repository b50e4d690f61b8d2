import type { Decision } from '../../state/store/queue-state.ts'

/** In sessionStorage: it survives a reload and ends with the tab. */
const nameOf = (userId: string) => `docket.outbox.${userId}`

/** Stores decisions that haven't arrived yet. */
export function keepUnsent(userId: string, decisions: Decision[]): void {
  const unsent = decisions.filter(({ step }) => step === 'sending' || step === 'waiting')
  try {
    if (unsent.length > 0) sessionStorage.setItem(nameOf(userId), JSON.stringify(unsent))
    else sessionStorage.removeItem(nameOf(userId))
  } catch {
    // Without storage, decisions are kept for as long as the page is open.
  }
}

/** Decisions that an earlier page of this tab left unsent. */
export function readUnsent(userId: string): Decision[] {
  try {
    const kept: Decision[] = JSON.parse(sessionStorage.getItem(nameOf(userId)) ?? '[]')
    return kept.map((decision) => ({ ...decision, step: 'waiting' }))
  } catch {
    return []
  }
}
