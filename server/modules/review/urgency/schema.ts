/** The target of communities that have none of their own. */
export const USUAL_TARGET_MINUTES = 240
/** A week. */
export const MOST_TARGET_MINUTES = 10_080
const FLAG_MINUTES = 60
const FLAGS_COUNTED = 8

/** The most that rules, signals, flags and reach take off together: eight hours each. */
export const MOST_CREDITED_MINUTES = 4 * 480

/** What makes a held item urgent, in minutes; null: nothing does (docs/desk.md#most-urgent-first). */
export interface Urgency {
  /** The service target when it was held; null: the usual one. */
  targetMinutes: number | null
  /** The most severe rule that holds it. */
  ruleMinutes: number | null
  /** The highest score of a classifier. */
  signalMinutes: number | null
  /** How many people saw it, or the post that it is on. */
  reachMinutes: number | null
}

interface HeldItem {
  heldAt: string
  flagCount: number
  urgency?: Urgency
}

/** The lines of its sum, in milliseconds, so that they add up exactly. */
export interface UrgencySum {
  /** How long it waits at that time, and how long it should at most. */
  waitedMs: number
  targetMs: number
  ruleMs: number
  signalMs: number
  flagsMs: number
  reachMs: number
  /** Time waited past the target, and all others. */
  totalMs: number
}

const MINUTE_MS = 60_000

/** How urgent an item is at a time: its total grows while time passes, and so do those of all others. The order is `urgentAt`. */
export function urgencyOf({ heldAt, flagCount, urgency }: HeldItem, now: number): UrgencySum {
  const waitedMs = now - Date.parse(heldAt)
  const targetMs = (urgency?.targetMinutes ?? USUAL_TARGET_MINUTES) * MINUTE_MS
  const ruleMs = (urgency?.ruleMinutes ?? 0) * MINUTE_MS
  const signalMs = (urgency?.signalMinutes ?? 0) * MINUTE_MS
  const flagsMs = FLAG_MINUTES * Math.min(flagCount, FLAGS_COUNTED) * MINUTE_MS
  const reachMs = (urgency?.reachMinutes ?? 0) * MINUTE_MS
  const totalMs = waitedMs - targetMs + ruleMs + signalMs + flagsMs + reachMs
  return { waitedMs, targetMs, ruleMs, signalMs, flagsMs, reachMs, totalMs }
}

/** When its total is zero, in milliseconds: the earlier, the more urgent. The database sorts by the same (`urgent_at`). */
export function urgentAt(item: HeldItem): number {
  return -urgencyOf(item, 0).totalMs
}
