'use client'
import { useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslations } from 'use-intl'
import type { QueueInput } from '#components/kit/addresses/queue-search.ts'
import { useLiveMessages } from '#components/live/live-context.tsx'
import { useTRPCClient } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { useStableCallback } from '#components/ui/use-stable-callback.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { type Decision, goneKeys, keyOf } from '../decisions.ts'
import { itemIdOf } from '../item-id.ts'
import { changeOf } from '../live/change-of.ts'
import type { Selection } from '../use-selection.ts'
import {
  allOf,
  EMPTY_SELECTION,
  extended,
  SELECTION_LIMIT,
  type SelectedItems,
  toggled,
  without,
} from './selected-items.ts'

interface ChosenInput {
  input: QueueInput
  rows: QueueItem[]
  decisions: Decision[]
  skipped: ReadonlySet<string>
  selection: Selection
}

/** The items selected for a bulk action. Another list starts with an empty selection. */
export function useSelectedItems({ input, rows, decisions, skipped, selection }: ChosenInput) {
  const t = useTranslations('bulk')
  const client = useTRPCClient()
  const announce = useAnnounce()
  const list = JSON.stringify(input)
  const none = { list, chosen: EMPTY_SELECTION, left: 0, isFull: false, isOn: false }
  const [state, setState] = useState(none)
  const reading = useRef<Promise<SelectedItems>>(undefined)
  const { chosen: kept, left, isFull, isOn } = state.list === list ? state : none

  const stillThere = useMemo(() => {
    const gone = goneKeys(decisions)
    return (chosen: SelectedItems) => without(chosen, (item) => gone.has(keyOf(item)) || skipped.has(keyOf(item)))
  }, [decisions, skipped])
  const chosen = useMemo(() => stillThere(kept), [kept, stillThere])

  function choose(next: SelectedItems): void {
    const isTooMuch = next.items.size > SELECTION_LIMIT
    setState({ list, chosen: isTooMuch ? chosen : next, left: 0, isFull: isTooMuch, isOn })
    if (isTooMuch) announce(t('tooMany', { count: SELECTION_LIMIT }))
    else announce(t(next.isCut ? 'selectedOfMore' : 'selected', { count: next.items.size }))
  }

  const toggle = useStableCallback((row: QueueItem) => choose(toggled(chosen, row)))
  const chooseTo = useStableCallback((row: QueueItem) => {
    const to = rows.findIndex((other) => itemIdOf(other) === itemIdOf(row))
    choose(extended(chosen, rows, selection.index === -1 ? to : selection.index, to))
    selection.moveTo(itemIdOf(row))
  })

  async function chooseAll(): Promise<SelectedItems> {
    const { order: _order, ...matching } = input
    try {
      const { items, isCut } = await client.bulk.preview.mutate({ matching })
      const all = stillThere(allOf(items, isCut))
      // Selected before reading ends: a key pressed between the two would act on one item only.
      flushSync(() => choose(all))
      return all
    } catch {
      announce(t('notSelected'))
      return chosen
    } finally {
      reading.current = undefined
    }
  }

  useLiveMessages((message) => {
    if (message.kind !== 'event' || changeOf(message.name, input.view) !== 'left') return
    const itemId = `${message.subjectType}:${message.subjectId}`
    if (!kept.items.has(itemId)) return
    // Items decided by this person have already left.
    const more = chosen.items.has(itemId) ? 1 : 0
    setState((before) => ({
      ...before,
      chosen: without(before.chosen, (item) => itemIdOf(item) === itemId),
      left: before.left + more,
    }))
    if (more > 0) announce(t('left', { count: left + more }))
  })

  return {
    items: chosen.items,
    isCut: chosen.isCut,
    /** How many items left because they are no longer pending. */
    left,
    /** Whether the limit kept another item from being selected. */
    isFull,
    /** Whether rows show their checkboxes. */
    isChoosing: isOn || chosen.items.size > 0,
    isOn,
    /** Reported items are reviewed one by one. */
    isOffered: input.view !== 'reported',
    turnOn: () => setState({ ...none, isOn: true }),
    /** Whether items are selected, or about to be. */
    hasSome: () => chosen.items.size > 0 || reading.current !== undefined,
    /** Resolves once all matching items are read, if they are being read. */
    ready: async () => (await reading.current) ?? chosen,
    toggle,
    chooseTo,
    chooseAll: () => {
      reading.current ??= chooseAll()
    },
    clear: () => {
      setState(none)
      announce(t('selected', { count: 0 }))
    },
  }
}
export type Choosing = ReturnType<typeof useSelectedItems>
