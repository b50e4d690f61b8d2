import type { Ctx } from '#server/core/ctx.ts'
import { findWave } from '#server/modules/review/bulk/find-wave.ts'
import type { WaveSummary } from '#server/modules/review/bulk/schema.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'

/** Sums up the wave that an item belongs to; null if there is none. NOT_FOUND for callers who may not review it. */
export async function readWave(ctx: Ctx, subject: Subject): Promise<WaveSummary | null> {
  const wave = await findWave(ctx, subject)
  if (wave === undefined) return null
  const { members, count, isMore, isCut, communityIds } = wave
  const times = members.map(({ queuedAt }) => queuedAt.toISOString()).sort()
  return {
    count,
    isMore,
    isCut,
    accounts: new Set(members.map(({ userId }) => userId)).size,
    communities: communityIds.length,
    firstHeldAt: times.at(0) ?? '',
    lastHeldAt: times.at(-1) ?? '',
  }
}
