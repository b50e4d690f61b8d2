import type { Decision } from '../decisions.ts'

/** In the tab's own store: it outlives a reload, and goes with the tab. */
const nameOf = (userId: string) => `docket.outbox.${userId}`

/** Keeps what has not arrived yet. */
export function keepUnsent(userId: string, decisions: Decision[]): void {
  const unsent = decisions.filter(({ step }) => step === 'sending' || step === 'waiting')
  try {
    if (unsent.length > 0) sessionStorage.setItem(nameOf(userId), JSON.stringify(unsent))
    else sessionStorage.removeItem(nameOf(userId))
  } catch {
    // A browser that stores nothing keeps them for as long as the page is open.
  }
}

/** What an earlier page of this tab left unsent. */
export function readUnsent(userId: string): Decision[] {
  try {
    const kept: Decision[] = JSON.parse(sessionStorage.getItem(nameOf(userId)) ?? '[]')
    return kept.map((decision) => ({ ...decision, step: 'waiting' }))
  } catch {
    return []
  }
}
