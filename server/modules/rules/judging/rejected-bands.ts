import { createHash } from 'node:crypto'
import { sql } from '#server/core/db.ts'
import { bandsOf } from '#server/core/similarity/min-hash.ts'

const BANDS = 24
/** The share of similar enough texts that may be missed; more only at the lowest similarities. */
const MISSED = 0.001

/** How long rejected texts can be found: as long as a condition looks back, before anything that was written in the last 90 days. */
export const REJECTED_KEPT = sql`interval '180 days'`

/** The bands under which a rejected text is stored, and looked for. */
export function rejectedBandsOf(shingles: ReadonlySet<number>): number[] {
  return bandsOf(shingles, 0, BANDS)
}

/** A hash of the id, shorter than it. */
export function communityKeyOf(communityId: string): number {
  return createHash('sha256').update(communityId).digest().readInt32BE()
}

/**
 * How many bands a text that is so similar shares at least, so rarely fewer that others need not be compared: 1 at 60 %, which 0.3 % don't share, 2
 * at 70 %, 5 at 80 %.
 */
export function leastShared(similarity: number): number {
  const chance = similarity ** 3
  // Of sharing exactly `shared` bands, and fewer (the binomial distribution).
  let exactly = (1 - chance) ** BANDS
  let fewer = 0
  let shared = 0
  while (shared < BANDS && fewer + exactly <= MISSED) {
    fewer += exactly
    exactly =
      chance === 1
        ? Number(shared + 1 === BANDS)
        : (exactly * (BANDS - shared) * chance) / ((shared + 1) * (1 - chance))
    shared += 1
  }
  return Math.max(1, shared)
}
