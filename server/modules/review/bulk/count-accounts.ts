import type { BulkSanctionFailure } from '#server/modules/review/bulk/schema.ts'

interface Sanction {
  userId: string
  /** Why not, if it isn't. */
  failure: BulkSanctionFailure | null
}

export interface AccountCounts {
  total: number
  /** Can be, or were, in at least one. */
  free: number
  refused: { why: BulkSanctionFailure; count: number }[]
}

/** Counts accounts, which may have a ban or mute in each of several spaces: one that can be made in any of them counts as made. */
export function countAccounts(sanctions: Sanction[]): AccountCounts {
  const failures = new Map<string, BulkSanctionFailure | null>()
  for (const { userId, failure } of sanctions)
    if (failure === null || !failures.has(userId)) failures.set(userId, failure)
  const counts = new Map<BulkSanctionFailure, number>()
  for (const why of failures.values()) if (why !== null) counts.set(why, (counts.get(why) ?? 0) + 1)
  const refused = [...counts]
    .map(([why, count]) => ({ why, count }))
    .sort((a, b) => b.count - a.count || (a.why < b.why ? -1 : 1))
  return {
    total: failures.size,
    free: failures.size - refused.reduce((sum, { count }) => sum + count, 0),
    refused,
  }
}
