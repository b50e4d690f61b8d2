import type { Ctx } from '#server/core/ctx.ts'
import { countHits, readIndex } from '#server/modules/search/read-hits.ts'
import type { Found, Hit, IndexedSearch, Slice } from '#server/modules/search/search.ts'

/** `totalCount` is exact up to here (docs/interface/search.md#totals-of-a-search). */
export const COUNTED = 10_000

/**
 * The page out of all hits, or of the first `atMost` of either half. The last level has as many rows as all before it: both
 * halves are read in parallel, on a connection each, because most of the time is spent fetching the rows.
 */
export async function inHalves(ctx: Ctx, search: IndexedSearch, slice: Slice, atMost?: number): Promise<Found> {
  const fromStart = { ...slice, skip: 0, limit: slice.skip + slice.limit }
  const halves = await Promise.all(
    halvesUpTo(search, search.levels.length - 1).map((half) => readIndex(ctx, half, fromStart, atMost)),
  )
  const hits = halves.flatMap((half) => half.hits).toSorted(byPosition)
  const inOrder = slice.isDescending ? hits : hits.toReversed()
  return {
    total: halves.reduce((total, half) => total + half.total, 0),
    hits: inOrder.slice(slice.skip, slice.skip + slice.limit + 1),
  }
}

/** Most relevant and newest first. */
function byPosition(one: Hit, other: Hit): number {
  return other.rank - one.rank || other.at.getTime() - one.at.getTime() || (one.tie < other.tie ? -1 : 1)
}

/** Whether more than 10,000 hits are found up to this level, half of them on it. */
export async function hasMany(ctx: Ctx, search: IndexedSearch, slice: Slice, level: number): Promise<boolean> {
  const counts = await Promise.all(
    halvesUpTo(search, level).map((half) => countHits(ctx, half, slice, COUNTED / 2 + 1)),
  )
  return counts.reduce((total, count) => total + count, 0) > COUNTED
}

function halvesUpTo(search: IndexedSearch, level: number): IndexedSearch[] {
  const halves = [search.levels.slice(0, level), search.levels.slice(level, level + 1)]
  return halves.filter((levels) => levels.length > 0).map((levels) => ({ ...search, levels, answer: undefined }))
}
