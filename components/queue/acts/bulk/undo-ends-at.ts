import type { BulkProgress } from '#server/modules/review/bulk/schema.ts'

/** By this browser's clock, counted from the first response that contained the time left. */
const ends = new Map<string, number>()

/** When the undo time of a bulk ends; undefined if it has none or hasn't finished yet. */
export function undoEndsAt({ bulkId, undoLeftMs }: BulkProgress): number | undefined {
  if (undoLeftMs !== undefined && !ends.has(bulkId)) ends.set(bulkId, Date.now() + undoLeftMs)
  return ends.get(bulkId)
}

/** Ends the undo time: the server reported it, or the bulk was just undone. */
export function endUndo(bulkId: string, at = 0): void {
  ends.set(bulkId, at)
}

/** Whether the whole bulk can still be undone, including while it is running. */
export function isUndoable(bulk: BulkProgress, now: number): boolean {
  if (bulk.isUndone) return false
  return bulk.isFinished ? (undoEndsAt(bulk) ?? 0) > now : ends.get(bulk.bulkId) !== 0
}
