/** What a look at a replica finds. */
export type Finding = 'caught-up' | 'behind' | 'failed'

export interface Health {
  /** Whether reads go there. */
  isUsable: boolean
  /** Consecutive looks that found it caught up. */
  caughtUp: number
  /** Consecutive looks that failed. */
  failed: number
}

export const UNKNOWN: Health = { isUsable: false, caughtUp: 0, failed: 0 }

/** A replica is used again after this many good looks, so that one that lags on and off doesn't slow reads down again and again. */
const LOOKS_UNTIL_USED = 2
/** After this many failed looks a replica is no longer waited for, also by reads that run there. */
const LOOKS_UNTIL_LOST = 3

/** One finding is enough to stop using a replica. */
export function healthAfter({ caughtUp, failed }: Health, finding: Finding): Health {
  if (finding === 'failed') return { isUsable: false, caughtUp: 0, failed: failed + 1 }
  if (finding === 'behind') return UNKNOWN
  return { isUsable: caughtUp + 1 >= LOOKS_UNTIL_USED, caughtUp: caughtUp + 1, failed: 0 }
}

export function isLost({ failed }: Health): boolean {
  return failed >= LOOKS_UNTIL_LOST
}
