import type { LastAct } from '#components/kit/acts/use-last-act.ts'
import type { BulkProgress } from '#server/modules/review/bulk/schema.ts'
import type { Decision, QueueState } from '../../state/store/queue-state.ts'
import { undoable } from '../../state/store/select-queue.ts'
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
  const at = state.bulks.find(({ bulkId }) => bulkId === latest?.bulkId)?.at ?? 0
  return isLatestAct(at, lastAct, state.decisions, now) ? latest : undefined
}

/** Whether the person has done nothing since then that an undo would undo first. */
export function isLatestAct(at: number, lastAct: LastAct | undefined, decisions: Decision[], now: number): boolean {
  const isLater = ({ decidedAt }: Decision) => decidedAt > at
  return !(lastAct?.undo && lastAct.at > at) && !undoable(decisions, now).some(isLater)
}
