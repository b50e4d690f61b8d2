/** Work without a pause: since when, until when, and how much of it. */
export interface Stretch {
  since: number
  until: number
  decided: number
}

/** Who decides nothing for so long has had a pause. */
export const PAUSE_MS = 5 * 60_000

export function afterDecision(stretch: Stretch | undefined, now: number): Stretch {
  if (!stretch || now - stretch.until >= PAUSE_MS) return { since: now, until: now, decided: 1 }
  return { ...stretch, until: now, decided: stretch.decided + 1 }
}

interface Limits {
  pauseAfterDecisions?: number
  pauseAfterMinutes?: number
}

/** Whether it has gone on for longer than the person wants; never where they chose no limit. */
export function isPauseDue(stretch: Stretch, now: number, limits: Limits): boolean {
  if (now - stretch.until >= PAUSE_MS) return false
  const { pauseAfterDecisions = Number.POSITIVE_INFINITY, pauseAfterMinutes = Number.POSITIVE_INFINITY } = limits
  return stretch.decided >= pauseAfterDecisions || now - stretch.since >= pauseAfterMinutes * 60_000
}
