import { expect, test } from 'vitest'
import { queueItem } from '../../testing/queue-item.ts'
import { after, decision, NOW, published } from '../../testing/queue-state.ts'
import { EMPTY_SELECTION, extendSelection, SELECTION_LIMIT, type SelectedItems } from '../selected-items.ts'
import { type Decision, keyOf } from './queue-state.ts'
import type { QueueEvent } from './reduce-queue.ts'
import { selectedIn } from './select-queue.ts'

const of = (subjectId: string, given: Partial<Decision> = {}) => decision({ item: queueItem({ subjectId }), ...given })
const input = { order: 'newest' } as const
const [a, b, c] = [queueItem({ subjectId: 'a' }), queueItem({ subjectId: 'b' }), queueItem({ subjectId: 'c' })]
const select = (...rows: ReturnType<typeof queueItem>[]) => {
  const chosen = extendSelection(EMPTY_SELECTION, rows, 0, rows.length - 1)
  return { type: 'selected', input, chosen } as const
}
const idsOf = ({ items }: SelectedItems) => [...items.values()].map(({ subjectId }) => subjectId).join('')

test('keeps an undo in progress when the answer to the decision arrives', () => {
  const undoing = decision({ step: 'undoing' })
  const { decisions } = after([{ type: 'delivered', clientKey: undoing.clientKey, at: NOW }], [undoing])
  expect(decisions).toEqual([undoing])
})

test('an item decided again while the earlier decision is being undone keeps the new decision', () => {
  const [undoing, again] = [of('a', { step: 'undoing' }), of('a', { step: 'sending', clientKey: 'another' })]
  const { decisions } = after(
    [
      { type: 'decided', decision: again },
      { type: 'forgotten', clientKey: undoing.clientKey },
    ],
    [undoing],
  )
  expect(decisions).toEqual([again])
})

test('the ten seconds of an unsent decision start on arrival', () => {
  const unsent = decision({ step: 'waiting', decidedAt: NOW - 60_000 })
  const { decisions } = after([{ type: 'delivered', clientKey: unsent.clientKey, at: NOW }], [unsent])
  expect(decisions).toMatchObject([{ step: 'held', decidedAt: NOW }])
})

test('a decision without a connection waits, but an undo in progress does not', () => {
  const [sending, undoing] = [of('sending', { step: 'sending' }), of('undoing', { step: 'undoing' })]
  const { decisions } = after(
    [sending, undoing].map(({ clientKey }) => ({ type: 'delayed', clientKey }) as const),
    [sending, undoing],
  )
  expect(decisions.map(({ step }) => step)).toEqual(['waiting', 'undoing'])
})

test('sends unsent decisions of an earlier page first and only once', () => {
  const [left, now] = [of('left', { step: 'waiting' }), of('now', { step: 'sending' })]
  const restored: QueueEvent = { type: 'restored', decisions: [left] }
  expect(after([restored], [now]).decisions).toEqual([left, now])
  expect(after([restored, restored], [now]).decisions).toEqual([left, now])
})

test('a new decision replaces the notice of a failed one', () => {
  const again = decision({ step: 'sending', outcome: 'rejected' })
  const { decisions } = after([{ type: 'decided', decision: again }], [decision({ step: 'lost' })])
  expect(decisions).toEqual([again])
})

test('attaches a reason to its own rejection and removes it if it cannot be saved', () => {
  const [one, other] = [of('one', { outcome: 'rejected' }), of('other', { outcome: 'rejected' })]
  const why = { reasonId: 'spam', label: 'Spam' }
  const explained = { type: 'explained', clientKey: one.clientKey, why } as const
  expect(after([explained], [one, other]).decisions.map((made) => made.why)).toEqual([why, undefined])
  expect(after([explained, { ...explained, why: undefined }], [one]).decisions[0]?.why).toBeUndefined()
})

test('brings back one skipped item, or all of them', () => {
  const skipped = [a, b, c].map((item) => ({ type: 'skipped', item }) as const)
  expect([...after([...skipped, { type: 'unskipped', item: b }]).skipped]).toEqual([keyOf(a), keyOf(c)])
  expect(after([...skipped, { type: 'unskipped' }]).skipped.size).toBe(0)
})

test('a selection belongs to one list', () => {
  const state = after([select(a, b)])
  expect(idsOf(selectedIn(state, input).chosen)).toBe('ab')
  expect(idsOf(selectedIn(state, { ...input, communityId: 'harbour' }).chosen)).toBe('')
})

test('items decided or skipped here are not selected, until the decision is undone', () => {
  const decided = { type: 'decided', decision: of('a') } as const
  const events = [select(a, b, c), decided, { type: 'skipped', item: b }] as const
  expect(idsOf(selectedIn(after([...events]), input).chosen)).toBe('c')
  const undone = after([...events, { type: 'moved', clientKey: decided.decision.clientKey, to: 'undoing' }])
  expect(idsOf(selectedIn(undone, input).chosen)).toBe('ac')
})

test('keeps the selection when one more item exceeds the limit', () => {
  const rows = Array.from({ length: SELECTION_LIMIT + 1 }, (_, index) => queueItem({ subjectId: `item ${index}` }))
  const { chosen, isFull } = after([select(a), select(...rows)]).selected
  expect([idsOf(chosen), isFull]).toEqual(['a', true])
})

test('counts selected items that colleagues decided, even if they are in no page, but not those decided here', () => {
  const decidedHere = { type: 'decided', decision: of('b') } as const
  const events = [a, b, queueItem({ subjectId: 'z' })].map((item) =>
    published('v3.comment.didApprove', item, { isListed: false }),
  )
  const { chosen, left } = after([select(a, b, c), decidedHere, ...events]).selected
  expect([idsOf(chosen), left]).toEqual(['c', 1])
})

test('items that are only edited or flagged stay selected', () => {
  const state = after([select(a, b), published('desk.comment.didEdit', a), published('v3.comment.didFlag', b)])
  expect([idsOf(state.selected.chosen), state.selected.left]).toEqual(['ab', 0])
})

test('keeps the same state for events about items in no list, and when no current item left', () => {
  const before = after([])
  expect(after([published('v3.comment.didApprove', a, { isListed: false }), { type: 'currentChanged' }])).toEqual(
    before,
  )
})
