import type { BulkBanFailure } from '#server/modules/review/bulk/schema.ts'

interface Ban {
  userId: string
  /** Why not, if it isn't. */
  failure: BulkBanFailure | null
}

export interface AccountCounts {
  total: number
  /** Can be, or were, in at least one. */
  free: number
  refused: { why: BulkBanFailure; count: number }[]
}

/** Counts accounts, which may have a ban in each of several spaces: one that can be made in any of them counts as made. */
export function countAccounts(bans: Ban[]): AccountCounts {
  const failures = new Map<string, BulkBanFailure | null>()
  for (const { userId, failure } of bans) if (failure === null || !failures.has(userId)) failures.set(userId, failure)
  const counts = new Map<BulkBanFailure, number>()
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
