/** A stretch of work without a pause: its start, its end, and the number of decisions. */
export interface Stretch {
  since: number
  until: number
  decided: number
}

/** This long without a decision counts as a pause. */
export const PAUSE_MS = 5 * 60_000

export function afterDecision(stretch: Stretch | undefined, now: number): Stretch {
  if (!stretch || now - stretch.until >= PAUSE_MS) return { since: now, until: now, decided: 1 }
  return { ...stretch, until: now, decided: stretch.decided + 1 }
}

interface Limits {
  pauseAfterDecisions?: number
  pauseAfterMinutes?: number
}

/** Whether the stretch exceeds the person's limit; never without a limit. */
export function isPauseDue(stretch: Stretch, now: number, limits: Limits): boolean {
  if (now - stretch.until >= PAUSE_MS) return false
  const { pauseAfterDecisions = Number.POSITIVE_INFINITY, pauseAfterMinutes = Number.POSITIVE_INFINITY } = limits
  return stretch.decided >= pauseAfterDecisions || now - stretch.since >= pauseAfterMinutes * 60_000
}
