import type { BulkProgress } from '#server/modules/review/bulk/schema.ts'

/** By this browser's clock, counted from the first answer that said how much is left. */
const ends = new Map<string, number>()

/** When the undo time of a bulk is over; nothing where it has none, or is not finished yet. */
export function undoEndsAt({ bulkId, undoLeftMs }: BulkProgress): number | undefined {
  if (undoLeftMs !== undefined && !ends.has(bulkId)) ends.set(bulkId, Date.now() + undoLeftMs)
  return ends.get(bulkId)
}

/** It is over: the server has said so, or all of it was taken back just now. */
export function endUndo(bulkId: string, at = 0): void {
  ends.set(bulkId, at)
}

/** Whether all of it can still be taken back: also while it goes on. */
export function isTakeable(bulk: BulkProgress, now: number): boolean {
  if (bulk.isUndone) return false
  return bulk.isFinished ? (undoEndsAt(bulk) ?? 0) > now : ends.get(bulk.bulkId) !== 0
}
