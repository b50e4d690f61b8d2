/** The target of communities that have none of their own. */
export const USUAL_TARGET_MINUTES = 240
/** A week. */
export const MOST_TARGET_MINUTES = 10_080
const FLAG_MINUTES = 60
const FLAGS_COUNTED = 8

/** The most that rules, signals, flags and reach take off together: eight hours each. */
const MOST_CREDITED_MINUTES = 4 * 480

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

/** An item with at least so many minutes of rules, signals, flags and reach comes before all that only waits. */
const SEVERE_MINUTES = 240

/** The lines of its sum, in milliseconds, so that they add up exactly. */
export interface UrgencySum {
  /** Whether it comes before all that only waits, the newest day first: how long it waits doesn't count. */
  isSevere: boolean
  /** How long it waits at that time, and how long it should at most. */
  waitedMs: number
  targetMs: number
  ruleMs: number
  signalMs: number
  flagsMs: number
  reachMs: number
  /** All that counts: time waited past the target, and all others. */
  totalMs: number
}

const MINUTE_MS = 60_000

/** How urgent an item is at a time. While time passes the total of each that isn't severe grows, so that the order, `urgentAt`, stays. */
export function urgencyOf({ heldAt, flagCount, urgency }: HeldItem, now: number): UrgencySum {
  const waitedMs = now - Date.parse(heldAt)
  const targetMs = (urgency?.targetMinutes ?? USUAL_TARGET_MINUTES) * MINUTE_MS
  const ruleMs = (urgency?.ruleMinutes ?? 0) * MINUTE_MS
  const signalMs = (urgency?.signalMinutes ?? 0) * MINUTE_MS
  const flagsMs = FLAG_MINUTES * Math.min(flagCount, FLAGS_COUNTED) * MINUTE_MS
  const reachMs = (urgency?.reachMinutes ?? 0) * MINUTE_MS
  const worthMs = ruleMs + signalMs + flagsMs + reachMs
  const isSevere = worthMs >= SEVERE_MINUTES * MINUTE_MS
  const totalMs = isSevere ? worthMs : waitedMs - targetMs + worthMs
  return { isSevere, waitedMs, targetMs, ruleMs, signalMs, flagsMs, reachMs, totalMs }
}

/**
 * What items are sorted by, in milliseconds: the earlier, the more urgent. When its total is zero; of a severe item a time before 1999, by its day,
 * its worth and the time of the day (docs/decisions/0283-severe-and-fresh-first.md). The database sorts by the same (`urgent_at`).
 */
export function urgentAt(item: HeldItem): number {
  const { isSevere, totalMs } = urgencyOf(item, 0)
  if (!isSevere) return -totalMs
  const heldAt = Date.parse(item.heldAt)
  const ofDay = heldAt % DAY_MS
  const missing = MOST_CREDITED_MINUTES - totalMs / MINUTE_MS
  return YEAR_1999 - (heldAt - ofDay) + missing * 40_000 + Math.floor(ofDay / 2_160)
}

const DAY_MS = 86_400_000
const YEAR_1999 = Date.UTC(1999, 0, 1)
