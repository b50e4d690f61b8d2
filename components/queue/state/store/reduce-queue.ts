import type { QueueInput } from '#components/kit/addresses/queue-search.ts'
import type { ChangedFacts, Subject } from '#server/modules/review/decisions/schema.ts'
import type { QueueItem, QueueView } from '#server/modules/review/queue/schema.ts'
import { changeOf } from '../change-of.ts'
import { itemIdOf } from '../item-id.ts'
import { SELECTION_LIMIT, type SelectedItems, withoutItems } from '../selected-items.ts'
import { type Decision, type ItemChange, keyOf, listIdOf, NOTHING_SELECTED, type QueueState } from './queue-state.ts'
import { changeKey, selectedIn } from './select-queue.ts'

export type QueueEvent =
  | { type: 'decided'; decision: Decision }
  /** Decisions that an earlier page of this tab left unsent. */
  | { type: 'restored'; decisions: Decision[] }
  | { type: 'delayed'; clientKey: string }
  | { type: 'delivered'; clientKey: string; at: number }
  | { type: 'explained'; clientKey: string; why: Decision['why'] }
  | { type: 'moved'; clientKey: string; to: Decision['step']; facts?: ChangedFacts }
  | { type: 'forgotten'; clientKey: string }
  | { type: 'dismissed'; clientKey: string }
  | { type: 'skipped'; item: QueueItem }
  /** One skipped item, or all of them. */
  | { type: 'unskipped'; item?: QueueItem | undefined }
  /** Again once it is known which of its items are decided. */
  | { type: 'bulkStarted'; bulk: QueueState['bulks'][number] }
  | { type: 'bulkEnded'; bulkId: string }
  /** A group is listed item by item. */
  | { type: 'separated'; key: string }
  | { type: 'selected'; input: QueueInput; chosen: SelectedItems }
  | { type: 'selectionCleared'; input: QueueInput; isOn?: boolean }
  /** Items this page moved out of the lists of a view. */
  | { type: 'itemsLeft'; view: QueueView | undefined; items: Subject[]; at: number }
  /** Items of a bulk that was undone here are pending again; the list is read again. */
  | { type: 'itemsReturned'; view: QueueView | undefined; items: Subject[]; at: number }
  /** A single item was read and belongs in the list; without `requestedAt`, it is as it is now. */
  | { type: 'itemRead'; input: QueueInput; item: QueueItem; at: number; requestedAt?: number | undefined }
  | Published
  | { type: 'currentChanged' }

/** A live event, by its name. */
interface Published {
  type: 'published'
  name: string
  itemId: string
  /** Whether a page that was read, or is being read, may contain the item. */
  isListed: boolean
  input: QueueInput
  /** The current item, if the list has its row: one that this page moved out of it doesn't come back. */
  shownId: string | undefined
  at: number
}

const VIEWS = ['waiting', 'mine', 'escalated', 'reported'] as const satisfies QueueView[]

/** The state after an event; the same object if nothing changed. */
export function reduceQueue(state: QueueState, event: QueueEvent): QueueState {
  switch (event.type) {
    case 'decided': {
      const others = state.decisions.filter(({ key }) => key !== event.decision.key)
      return { ...state, decisions: [...others, event.decision] }
    }
    case 'restored': {
      const isNew = ({ key }: Decision) => !state.decisions.some((known) => known.key === key)
      return { ...state, decisions: [...event.decisions.filter(isNew), ...state.decisions] }
    }
    // A decision that is already being undone stays in that step.
    case 'delayed':
      return withDecision(state, event.clientKey, ({ step }) => (step === 'sending' ? { step: 'waiting' } : {}))
    case 'delivered':
      return withDecision(state, event.clientKey, ({ step }) => {
        if (step === 'waiting') return { step: 'held', decidedAt: event.at }
        return step === 'sending' ? { step: 'held' } : {}
      })
    case 'explained':
      return withDecision(state, event.clientKey, () => ({ why: event.why }))
    case 'moved':
      return withDecision(state, event.clientKey, () => ({
        step: event.to,
        ...(event.facts && { facts: event.facts }),
      }))
    case 'forgotten':
      return { ...state, decisions: state.decisions.filter(({ clientKey }) => clientKey !== event.clientKey) }
    case 'dismissed':
      return withDecision(state, event.clientKey, () => ({ isDismissed: true }))
    case 'skipped':
      return { ...state, skipped: new Set([...state.skipped, keyOf(event.item)]) }
    case 'unskipped': {
      const { item } = event
      return { ...state, skipped: new Set(item && [...state.skipped].filter((key) => key !== keyOf(item))) }
    }
    case 'bulkStarted': {
      const others = state.bulks.filter(({ bulkId }) => bulkId !== event.bulk.bulkId)
      return { ...state, bulks: [...others, event.bulk] }
    }
    case 'bulkEnded': {
      const end = (bulk: (typeof state.bulks)[number]) => (bulk.bulkId === event.bulkId ? { ...bulk, items: [] } : bulk)
      return { ...state, bulks: state.bulks.map(end) }
    }
    case 'separated':
      return { ...state, separate: new Set([...state.separate, event.key]) }
    case 'selected': {
      const before = selectedIn(state, event.input)
      const isFull = event.chosen.items.size > SELECTION_LIMIT
      return { ...state, selected: { ...before, chosen: isFull ? before.chosen : event.chosen, left: 0, isFull } }
    }
    case 'selectionCleared':
      return {
        ...state,
        selected: { ...NOTHING_SELECTED, listId: listIdOf(event.input), isOn: event.isOn ?? false },
      }
    case 'itemsLeft': {
      const { view, items, at } = event
      return withChanges(state, new Map(items.map((item) => [changeKey(view, item), { at, presence: 'left' }])))
    }
    case 'itemsReturned': {
      const { view, items, at } = event
      return withChanges(state, new Map(items.map((item) => [changeKey(view, item), { at, presence: 'listed' }])))
    }
    case 'itemRead': {
      const { input, item, at, requestedAt = at } = event
      const key = changeKey(input.view, item)
      const before = state.changes.get(key)
      // The answer doesn't include yet that the item left.
      if (before && before.presence !== 'listed' && before.at > requestedAt) return state
      const read: ItemChange = { at, presence: 'listed', item, listId: listIdOf(input) }
      return withChanges(state, new Map([[key, read]]))
    }
    case 'published':
      return withoutSelected(event.isListed ? withChanges(state, publishedChanges(state, event)) : state, event)
    case 'currentChanged': {
      const leaving = [...state.changes].filter(([, { presence }]) => presence === 'leaving')
      return withChanges(state, new Map(leaving.map(([key, change]) => [key, { ...change, presence: 'left' }])))
    }
  }
}

function withDecision(
  state: QueueState,
  clientKey: string,
  change: (before: Decision) => Partial<Decision>,
): QueueState {
  const apply = (decision: Decision) =>
    decision.clientKey === clientKey ? { ...decision, ...change(decision) } : decision
  return { ...state, decisions: state.decisions.map(apply) }
}

function withChanges(state: QueueState, changes: ReadonlyMap<string, ItemChange>): QueueState {
  return changes.size === 0 ? state : { ...state, changes: new Map([...state.changes, ...changes]) }
}

/** Items decided by colleagues leave, except for the current one: it shows who decided it until the moderator moves on. */
function publishedChanges({ changes }: QueueState, { name, itemId, input, shownId, at }: Published) {
  const made = new Map<string, ItemChange>()
  for (const view of VIEWS) {
    const key = changeKey(view, itemId)
    const before = changes.get(key)
    const change = changeOf(name, view)
    const isShown = itemId === shownId && view === (input.view ?? 'waiting')
    if (change === 'left') made.set(key, { ...before, at, presence: isShown ? 'leaving' : 'left' })
    else if (before?.presence === 'leaving') made.set(key, { ...before, presence: 'listed' })
    else if (before?.presence === 'left' && change === 'came') made.set(key, { ...before, presence: 'returned' })
  }
  return made
}

/** Items that are no longer pending leave the selection. Those this person decided or skipped aren't counted: they had left already. */
function withoutSelected(state: QueueState, { name, itemId, input }: Published): QueueState {
  const { selected } = state
  const isSelected = selected.listId === listIdOf(input) && selected.chosen.items.has(itemId)
  if (!isSelected || changeOf(name, input.view) !== 'left') return state

  const isCounted = selectedIn(state, input).chosen.items.has(itemId)
  const chosen = withoutItems(selected.chosen, (item) => itemIdOf(item) === itemId)
  return { ...state, selected: { ...selected, chosen, left: selected.left + (isCounted ? 1 : 0) } }
}
