import { expect, test } from 'vitest'
import { UNDO_WINDOW_MS } from '#components/kit/acts/undo-window.ts'
import { type Decision, decisionsReducer, goneKeys, keyOf, takeable, troubles } from './decisions.ts'
import { queueItem } from './testing/queue-item.ts'

const NOW = 1_000_000

function decision(given: Partial<Decision> = {}): Decision {
  const item = given.item ?? queueItem()
  return {
    key: keyOf(item),
    item,
    outcome: 'approved',
    input: { order: 'newest' },
    decidedAt: NOW,
    clientKey: `key of ${item.subjectId}`,
    step: 'held',
    ...given,
  }
}
const of = (subjectId: string, given: Partial<Decision> = {}) => decision({ item: queueItem({ subjectId }), ...given })

test('hides a decided item until the decision is undone or rejected', () => {
  const steps = ['sending', 'waiting', 'held', 'final', 'undoing', 'lost'] as const
  const gone = steps.filter((step) => goneKeys([decision({ step })]).size === 1)
  expect(gone).toEqual(['sending', 'waiting', 'held', 'final'])
})

test('hides an item decided by someone else but not one that was only edited', () => {
  const decided = decision({ step: 'overtaken', facts: { decision: 'rejected', version: 2 } })
  const edited = decision({ step: 'overtaken', facts: { version: 2 } })
  expect(goneKeys([decided]).size).toBe(1)
  expect(goneKeys([edited]).size).toBe(0)
})

test('shows a comment that is held again after an earlier decision', () => {
  expect(goneKeys([decision()]).has(keyOf(queueItem({ version: 2 })))).toBe(false)
})

test('undoes the latest decision first, each within its own ten seconds', () => {
  const decisions = [
    of('late', { decidedAt: NOW - UNDO_WINDOW_MS }),
    of('first', { decidedAt: NOW - UNDO_WINDOW_MS + 1 }),
    of('second', { step: 'sending' }),
    of('refused', { step: 'lost' }),
  ]
  expect(takeable(decisions, NOW).map(({ item }) => item.subjectId)).toEqual(['second', 'first'])
})

test('keeps an undo in progress when the answer to the decision arrives', () => {
  const undoing = decision({ step: 'undoing' })
  expect(decisionsReducer([undoing], { type: 'arrive', key: undoing.key, at: NOW })).toEqual([undoing])
})

test('an unsent decision can be undone at any time, and its ten seconds start on arrival', () => {
  const unsent = decision({ step: 'waiting', decidedAt: NOW - 60_000 })
  expect(takeable([unsent], NOW)).toEqual([unsent])
  const [arrived] = decisionsReducer([unsent], { type: 'arrive', key: unsent.key, at: NOW })
  expect(arrived).toMatchObject({ step: 'held', decidedAt: NOW })
})

test('sends unsent decisions of an earlier page first and only once', () => {
  const [left, now] = [of('left', { step: 'waiting' }), of('now', { step: 'sending' })]
  const restored = decisionsReducer([now], { type: 'restore', decisions: [left] })
  expect(restored).toEqual([left, now])
  expect(decisionsReducer(restored, { type: 'restore', decisions: [left] })).toEqual(restored)
})

test('a new decision replaces the notice of a failed one', () => {
  const again = decision({ step: 'sending', outcome: 'rejected' })
  expect(decisionsReducer([decision({ step: 'lost' })], { type: 'decide', decision: again })).toEqual([again])
})

test('shows a notice until it is dismissed and keeps its item hidden', () => {
  const overtaken = decision({ step: 'overtaken', facts: { decision: 'approved', version: 2 } })
  const dismissed = decisionsReducer([overtaken], { type: 'dismiss', key: overtaken.key })
  expect(troubles([overtaken])).toHaveLength(1)
  expect(troubles(dismissed)).toHaveLength(0)
  expect(goneKeys(dismissed).size).toBe(1)
})

test('attaches a reason to its own rejection and removes it if it cannot be saved', () => {
  const [one, other] = [of('one', { outcome: 'rejected' }), of('other', { outcome: 'rejected' })]
  const why = { reasonId: 'spam', label: 'Spam' }
  const explained = decisionsReducer([one, other], { type: 'explain', key: one.key, why })
  expect(explained.map((decision) => decision.why)).toEqual([why, undefined])
  expect(decisionsReducer(explained, { type: 'explain', key: one.key, why: undefined })[0]?.why).toBeUndefined()
})
