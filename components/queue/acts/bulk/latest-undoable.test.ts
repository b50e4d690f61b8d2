import { expect, test } from 'vitest'
import type { BulkProgress } from '#server/modules/review/bulk/schema.ts'
import type { Decision } from '../../state/store/queue-state.ts'
import { latestUndoable } from './latest-undoable.ts'
import { endUndo } from './undo-ends-at.ts'

const NOW = Date.parse('2026-11-15T08:00:00.000Z')
// Safe: what undo reads of them.
const bulk = (bulkId: string) => ({ bulkId, isFinished: true, isUndone: false }) as BulkProgress
const decision = (decidedAt: number) => ({ decidedAt, step: 'held' }) as Decision

test('the key for undo undoes a bulk only if nothing was done after it', () => {
  endUndo('bulk', NOW + 5_000)
  const state = { bulks: [{ bulkId: 'bulk', at: NOW - 2_000 }] as never, decisions: [] }
  const recent = [bulk('bulk')]
  expect(latestUndoable({ recent, state, lastAct: undefined }, NOW)?.bulkId).toBe('bulk')
  const act = (at: number) => ({ words: '', at, undo: async () => {} })
  expect(latestUndoable({ recent, state, lastAct: act(NOW - 3_000) }, NOW)?.bulkId).toBe('bulk')
  expect(latestUndoable({ recent, state, lastAct: act(NOW - 1_000) }, NOW)).toBeUndefined()
  expect(latestUndoable({ recent, state, lastAct: { words: '', at: NOW - 1_000 } }, NOW)?.bulkId).toBe('bulk')
  const decided = { ...state, decisions: [decision(NOW - 1_000)] }
  expect(latestUndoable({ recent, state: decided, lastAct: undefined }, NOW)).toBeUndefined()
  expect(latestUndoable({ recent, state, lastAct: undefined }, NOW + 6_000)).toBeUndefined()
})
