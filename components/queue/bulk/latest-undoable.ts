import type { LastAct } from '#components/kit/acts/use-last-act.ts'
import type { BulkProgress } from '#server/modules/review/bulk/schema.ts'
import type { QueueState } from '../store/queue-state.ts'
import { undoable } from '../store/select-queue.ts'
import { isUndoable } from './undo-ends-at.ts'

interface Undoables {
  /** The latest first. */
  recent: BulkProgress[]
  state: Pick<QueueState, 'bulks' | 'decisions'>
  lastAct: LastAct | undefined
}

/** The bulk that the key for undo would undo: the latest, unless something else was done after it. */
export function latestUndoable({ recent, state, lastAct }: Undoables, now: number): BulkProgress | undefined {
  const latest = recent.find((bulk) => isUndoable(bulk, now))
  if (!latest) return undefined
  const at = state.bulks.find(({ bulkId }) => bulkId === latest.bulkId)?.at ?? 0
  const isLater = (lastAct?.at ?? 0) > at || undoable(state.decisions, now).some(({ decidedAt }) => decidedAt > at)
  return isLater ? undefined : latest
}
