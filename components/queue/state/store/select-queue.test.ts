import { expect, test } from 'vitest'
import { UNDO_WINDOW_MS } from '#components/kit/acts/undo-window.ts'
import type { QueueInput } from '#components/kit/addresses/queue-search.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { queueItem } from '../../testing/queue-item.ts'
import { after, decision, NOW, page, published } from '../../testing/queue-state.ts'
import { itemIdOf } from '../item-id.ts'
import { keyOf, type QueueState } from './queue-state.ts'
import type { QueueEvent } from './reduce-queue.ts'
import {
  arrivals,
  failed,
  goneKeys,
  isBeingUndone,
  listedItems,
  type ReadPage,
  undoable,
  visibleRows,
} from './select-queue.ts'

const newest = { order: 'newest' } as const
const oldest = { order: 'oldest' } as const
const urgent = { order: 'urgent' } as const
const at = (subjectId: string, hour: number, given: Partial<QueueItem> = {}) =>
  queueItem({ subjectId, heldAt: `2026-11-15T0${hour}:00:00.000Z`, ...given })
const [a, b, c] = [at('a', 9), at('b', 8), at('c', 7)]
const idsOf = (items: QueueItem[]) => items.map(({ subjectId }) => subjectId).join('')
const pagesOf = (read: ReadPage[], { changes }: QueueState, input: Pick<QueueInput, 'order'> = newest) =>
  listedItems(read, input, changes).pages.map(idsOf)
const rowsOf = (read: ReadPage[], state: QueueState) =>
  idsOf(visibleRows(listedItems(read, newest, state.changes), state))
const itemRead = (item: QueueItem, input: Pick<QueueInput, 'order'> = newest, time = 2) =>
  ({ type: 'itemRead', input, item, at: time }) as const

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
  const of = (subjectId: string, given: object) => decision({ item: queueItem({ subjectId }), ...given })
  const decisions = [
    of('late', { decidedAt: NOW - UNDO_WINDOW_MS }),
    of('first', { decidedAt: NOW - UNDO_WINDOW_MS + 1 }),
    of('second', { step: 'sending' }),
    of('refused', { step: 'lost' }),
  ]
  expect(undoable(decisions, NOW).map(({ item }) => item.subjectId)).toEqual(['second', 'first'])
})

test('an unsent decision can be undone at any time', () => {
  const unsent = decision({ step: 'waiting', decidedAt: NOW - 60_000 })
  expect(undoable([unsent], NOW)).toEqual([unsent])
})

test('an item is about to be pending again while its decision is undone, but not while a reversal is', () => {
  const itemId = itemIdOf(queueItem())
  expect(isBeingUndone([decision({ step: 'undoing' })], itemId)).toBe(true)
  expect(isBeingUndone([decision({ step: 'held' })], itemId)).toBe(false)
  expect(isBeingUndone([decision({ step: 'undoing', isReversal: true })], itemId)).toBe(false)
})

test('shows a notice until it is dismissed and keeps its item hidden', () => {
  const overtaken = decision({ step: 'overtaken', facts: { decision: 'approved', version: 2 } })
  const { decisions } = after([{ type: 'dismissed', clientKey: overtaken.clientKey }], [overtaken])
  expect(failed([overtaken])).toHaveLength(1)
  expect(failed(decisions)).toHaveLength(0)
  expect(goneKeys(decisions).size).toBe(1)
})

test('hides items that were decided or skipped here, or are in a running bulk', () => {
  const bulk = { bulkId: 'bulk', at: NOW, input: newest, items: [c] }
  const state = after([
    { type: 'decided', decision: decision({ item: a }) },
    { type: 'skipped', item: b },
    { type: 'bulkStarted', bulk },
  ])
  expect(rowsOf([page([a, b, c], 1), page([at('d', 6)], 1)], state)).toBe('d')
  expect(
    rowsOf(
      [page([a, b, c], 1)],
      after([
        { type: 'bulkStarted', bulk },
        { type: 'bulkEnded', bulkId: 'bulk' },
      ]),
    ),
  ).toBe('abc')
})

test('shows the items of a bulk again that it turns out not to decide', () => {
  const bulk = { bulkId: 'bulk', at: NOW, input: newest }
  const state = after([
    { type: 'bulkStarted', bulk: { ...bulk, items: [a, b] } },
    { type: 'bulkStarted', bulk: { ...bulk, items: [b] } },
  ])
  expect(rowsOf([page([a, b, c], 1)], state)).toBe('ac')
})

test('removes items from every page requested before they left', () => {
  const state = after([{ type: 'itemsLeft', view: undefined, items: [b, c], at: 2 }])
  expect(pagesOf([page([a, b], 1), page([c], 1)], state)).toEqual(['a', ''])
  expect(pagesOf([page([a, b]), page([c])], state)).toEqual(['a', ''])
  expect(pagesOf([page([a, b], 1), page([c], 3)], state)).toEqual(['a', 'c'])
  expect(listedItems([page([a, b])], { ...newest, view: 'escalated' }, state.changes).pages.map(idsOf)).toEqual(['ab'])
})

test('updates a row in place', () => {
  const { changes } = after([itemRead({ ...b, version: 3 })])
  const { pages } = listedItems([page([a, b])], newest, changes)
  expect(pages[0]?.[1]).toMatchObject({ subjectId: 'b', version: 3 })
})

test('inserts a missing row by the sort order', () => {
  expect(pagesOf([page([a, c]), page([at('d', 5)])], after([itemRead(b)]))).toEqual(['abc', 'd'])
  expect(pagesOf([page([c, a])], after([itemRead(b, oldest)]), oldest)).toEqual(['cba'])
})

test('appends a row that sorts last, unless a later page contains it', () => {
  const [z, state] = [at('z', 1), after([itemRead(at('z', 1))])]
  expect(pagesOf([page([a]), page([b])], state)).toEqual(['a', 'bz'])
  expect(pagesOf([page([a]), page([b]), page([z], 3)], state)).toEqual(['a', 'b', 'z'])
})

test('inserts a row in its own list only, and not in a page requested later', () => {
  expect(pagesOf([page([a, c])], after([itemRead(b, oldest)]))).toEqual(['ac'])
  expect(pagesOf([page([a, c], 3)], after([itemRead(b)]))).toEqual(['ac'])
})

test('sorts rows held at the same time by ID in either order', () => {
  const [first, middle, last] = [at('a', 9), at('b', 9), at('c', 9)]
  expect(pagesOf([page([first, last])], after([itemRead(middle)]))).toEqual(['abc'])
  expect(pagesOf([page([last, first])], after([itemRead(middle, oldest)]), oldest)).toEqual(['cba'])
})

test('an undone decision returns an item that a live event had removed', () => {
  const removed = after([published('v3.comment.didApprove', b)])
  const undone = after([published('v3.comment.didApprove', b), itemRead({ ...b, version: 3 }, newest, 3)])
  expect([rowsOf([page([a, b, c])], removed), rowsOf([page([a, b, c])], undone)]).toEqual(['ac', 'abc'])
})

test('an item decided by a colleague leaves the list, and the current one leaves once another is current', () => {
  const decided = [a, b].map((item) => published('v3.comment.didApprove', item, { current: b }))
  expect(rowsOf([page([a, b, c])], after(decided))).toBe('bc')
  expect(rowsOf([page([a, b, c])], after([...decided, { type: 'currentChanged' }]))).toBe('c')
})

test('an item stays away when an answer arrives late that was requested before it left', () => {
  const left = published('didDecline', a, { at: 3 })
  const read = (requestedAt: number) => ({ ...itemRead(a, newest, 4), requestedAt })
  expect(rowsOf([page([a, b], 1)], after([left, read(2)]))).toBe('b')
  expect(rowsOf([page([a, b], 1)], after([left, read(4)]))).toBe('ab')
})

test('the current item stays when a colleague undoes the decision', () => {
  const events = ['v3.comment.didApprove', 'desk.comment.didUndo'].map((name) => published(name, b, { current: b }))
  expect(rowsOf([page([a, b, c])], after([...events, { type: 'currentChanged' }]))).toBe('abc')
})

test('the current item keeps what was read of it while it is leaving', () => {
  const read = itemRead({ ...b, version: 3 }, newest, 2)
  const { changes } = after([read, published('v3.comment.didApprove', b, { current: b, at: 3 })])
  expect(listedItems([page([a, c])], newest, changes).pages[0]?.[1]).toMatchObject({ subjectId: 'b', version: 3 })
})

const count = (read: ReadPage[], latest: ReadPage, state: QueueState, input: Pick<QueueInput, 'order'> = newest) => {
  const listed = listedItems(read, input, state.changes)
  return [...arrivals(input, listed, visibleRows(listed, state), latest)]
}

test('counts items held since the list was read; with oldest first, they come at the end', () => {
  const latest = page([at('n', 9), a, b, at('old', 1)], 2)
  expect(count([page([a, b], 1)], latest, after([]))).toEqual(['comment:n'])
  expect(count([page([b, a], 1)], latest, after([]), oldest)).toEqual([])
})

test('puts an item back by its urgency, not by when it was held', () => {
  const flagged = at('b', 9, { flagCount: 3 })
  expect(pagesOf([page([b, a])], after([itemRead({ ...c, flagCount: 0 }, urgent)]), urgent)).toEqual(['cba'])
  expect(pagesOf([page([c, a])], after([itemRead(flagged, urgent)]), urgent)).toEqual(['bca'])
})

test('shows an item that is on two pages once, at its first place', () => {
  expect(pagesOf([page([c, b]), page([{ ...c, flagCount: 0 }, a])], after([]), urgent)).toEqual(['cb', 'a'])
})

test('keeps an item in its place while its urgency grows', () => {
  const state = after([itemRead({ ...a, flagCount: 5 }, urgent)])
  expect(pagesOf([page([c, b, a], 1)], state, urgent)).toEqual(['cba'])
})

test('the most urgent first, counts what comes before the end of the list, and at its end if all is read', () => {
  const [early, late] = [at('n', 6), at('o', 9, { subjectId: 'o' })]
  const part = { ...page([c, b], 1), next: 'more' }
  expect(count([part], page([early, c, b, late], 2), after([]), urgent)).toEqual([itemIdOf(early)])
  expect(count([page([c, b], 1)], page([early, c, b, late], 2), after([]), urgent)).toEqual([early, late].map(itemIdOf))
  expect(count([part], page([c, b], 2), after([]), urgent)).toEqual([])
})

test('counts an item that was decided here and is held again', () => {
  const state = after([{ type: 'decided', decision: decision({ item: a }) }])
  expect(count([page([a, b], 1)], page([{ ...a, version: 3 }, b], 2), state)).toEqual([itemIdOf(a)])
})

test('does not count items that left since the newest end was read', () => {
  const n = at('n', 9)
  const state = after([
    published('v3.comment.didApprove', n, { at: 3 }),
    published('v3.comment.didApprove', a, { at: 3 }),
  ])
  expect(count([page([a, b], 1)], page([n, a, b], 2), state)).toEqual([])
})

test('counts an item that left and is pending again, and shows it once the list is read again', () => {
  const state = after([published('v3.comment.didApprove', c), published('desk.comment.didUndo', c, { at: 3 })])
  expect(rowsOf([page([a, b, c], 1)], state)).toBe('ab')
  expect(count([page([a, b, c], 1)], page([a, b], 1), state)).toEqual([itemIdOf(c)])
  expect(rowsOf([page([a, b, c], 4)], state)).toBe('abc')
  expect(count([page([a, b, c], 4)], page([a, b, c], 4), state)).toEqual([])
})

test('a list keeps the same objects for rows that did not change', () => {
  const { pages } = listedItems([page([a, b, c])], newest, after([itemRead({ ...b, version: 2 })]).changes)
  expect([pages[0]?.[0], pages[0]?.[2]]).toEqual([a, c])
  expect(pages[0]?.[0]).toBe(a)
})

test('shows the items of an undone bulk once the list is read again, also before the events about them arrive', () => {
  const left: QueueEvent = { type: 'itemsLeft', view: undefined, items: [a, b], at: 1 }
  const returned: QueueEvent = { type: 'itemsReturned', view: undefined, items: [a, b], at: 3 }
  const readAgain = page([a, b, c], 4)
  const events = [a, b].map((item) => published('desk.comment.didUndo', item, { at: 5 }))
  expect(pagesOf([page([a, b, c], 0)], after([left]))).toEqual(['c'])
  expect(pagesOf([readAgain], after([left, returned, ...events]))).toEqual(['abc'])
})
