'use client'
import { useMemo, useRef } from 'react'
import { useTranslations } from 'use-intl'
import type { QueueInput } from '#components/kit/addresses/queue-search.ts'
import { useTRPCClient } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { useStableCallback } from '#components/ui/use-stable-callback.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { itemIdOf } from '../../state/item-id.ts'
import {
  countLeftOut,
  extendSelection,
  isSelected,
  SELECTION_LIMIT,
  type SelectedItems,
  selectAll,
  toggled,
  unreadGroups,
  withGroups,
  withoutItems,
} from '../../state/selected-items.ts'
import type { QueueState } from '../../state/store/queue-state.ts'
import { useQueueStore } from '../../state/store/queue-store.tsx'
import { selectedIn } from '../../state/store/select-queue.ts'
import type { Selection } from '../../state/use-selection.ts'

interface ChosenInput {
  input: QueueInput
  rows: QueueItem[]
  state: QueueState
  selection: Selection
}

/** The items selected for a bulk action. */
export function useSelectedItems({ input, rows, state, selection }: ChosenInput) {
  const t = useTranslations('bulk')
  const client = useTRPCClient()
  const announce = useAnnounce()
  const { dispatch, getState } = useQueueStore()
  const reading = useRef<Promise<SelectedItems>>(undefined)
  const { selected, decisions, skipped } = state
  const { chosen, left, isFull, isOn } = useMemo(
    () => selectedIn({ selected, decisions, skipped }, input),
    [selected, decisions, skipped, input],
  )
  const chosenNow = () => selectedIn(getState(), input).chosen

  function choose(next: SelectedItems): SelectedItems {
    dispatch({ type: 'selected', input, chosen: next })
    const { chosen, isFull } = selectedIn(getState(), input)
    if (isFull) announce(t('tooMany', { count: SELECTION_LIMIT }))
    else announce(t(chosen.isCut ? 'selectedOfMore' : 'selected', { count: chosen.items.size }))
    return chosen
  }

  const toggle = useStableCallback((row: QueueItem) => {
    choose(toggled(chosen, row))
    readGroups()
  })
  const chooseTo = useStableCallback((row: QueueItem) => {
    const to = rows.findIndex((other) => itemIdOf(other) === itemIdOf(row))
    choose(extendSelection(chosen, rows, selection.index === -1 ? to : selection.index, to))
    readGroups()
    selection.moveTo(itemIdOf(row))
  })

  /** Selects the rest of the groups whose rows were selected: all at once, in one request. */
  function readGroups(): void {
    if (unreadGroups(chosenNow()).length === 0) return
    const read = chooseGroups().finally(() => {
      if (reading.current === read) reading.current = undefined
    })
    reading.current = read
  }

  async function chooseGroups(): Promise<SelectedItems> {
    const unread = unreadGroups(chosenNow())
    const alike = unread.map(({ subjectType, subjectId }) => ({ subjectType, subjectId }))
    const keys = unread.flatMap(({ alikeKey }) => alikeKey ?? [])
    const isOfThem = ({ alikeKey }: { alikeKey?: string | undefined }) =>
      alikeKey !== undefined && keys.includes(alikeKey)
    try {
      const { items, isCut } = await client.bulk.preview.mutate({ alike })
      const before = chosenNow()
      if (![...before.items.values()].some(isOfThem)) return before
      const now = choose(withGroups(before, { keys, items, isCut }))
      return unreadGroups(now).some(isOfThem) ? choose(withoutItems(now, isOfThem)) : now
    } catch {
      announce(t('notSelected'))
      return choose(withoutItems(chosenNow(), isOfThem))
    }
  }

  async function chooseAll(): Promise<SelectedItems> {
    const { order: _order, ...matching } = input
    try {
      const { items, isCut } = await client.bulk.preview.mutate({ matching })
      return choose(selectAll(items, isCut))
    } catch {
      announce(t('notSelected'))
      return chosen
    } finally {
      reading.current = undefined
    }
  }

  return {
    items: chosen.items,
    isCut: chosen.isCut,
    /** How many items of the selected groups are left out, because they need separate decisions. */
    apart: countLeftOut(chosen),
    isSelected: (row: QueueItem) => isSelected(chosen, row),
    /** How many items left because they are no longer pending. */
    left,
    /** Whether the limit kept another item from being selected. */
    isFull,
    /** Whether rows show their checkboxes. */
    isChoosing: isOn || chosen.items.size > 0,
    isOn,
    /** Reported items are reviewed one by one. */
    isOffered: input.view !== 'reported',
    turnOn: () => dispatch({ type: 'selectionCleared', input, isOn: true }),
    /** Whether items are selected, or about to be. */
    hasSome: () => chosenNow().items.size > 0 || reading.current !== undefined,
    /** Resolves once all matching items are read, if they are being read. */
    ready: async () => (await reading.current) ?? chosenNow(),
    toggle,
    chooseTo,
    chooseAll: () => {
      reading.current ??= chooseAll()
    },
    clear: () => {
      dispatch({ type: 'selectionCleared', input })
      announce(t('selected', { count: 0 }))
    },
  }
}
export type Choosing = ReturnType<typeof useSelectedItems>
