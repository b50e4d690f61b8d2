'use client'
import { useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslations } from 'use-intl'
import { useHear } from '#components/live/live-context.tsx'
import { useTRPCClient } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { useSame } from '#components/ui/use-same.ts'
import type { QueueItem } from '#server/modules/review/schema.ts'
import { type Decision, goneKeys, keyOf } from '../decisions.ts'
import { idOf } from '../item-id.ts'
import { changeOf } from '../live/change-of.ts'
import type { QueueInput } from '../queue-search.ts'
import type { Selection } from '../use-selection.ts'
import { allOf, type Chosen, extended, MOST_CHOSEN, NOTHING_CHOSEN, toggled, without } from './chosen.ts'

interface ChosenInput {
  input: QueueInput
  rows: QueueItem[]
  decisions: Decision[]
  skipped: ReadonlySet<string>
  selection: Selection
}

/** Several that are chosen to be decided as one. Another list begins with none. */
export function useChosen({ input, rows, decisions, skipped, selection }: ChosenInput) {
  const t = useTranslations('bulk')
  const client = useTRPCClient()
  const announce = useAnnounce()
  const list = JSON.stringify(input)
  const none = { list, chosen: NOTHING_CHOSEN, left: 0, isFull: false, isOn: false }
  const [state, setState] = useState(none)
  const reading = useRef<Promise<Chosen>>(undefined)
  const { chosen: kept, left, isFull, isOn } = state.list === list ? state : none

  const stillThere = useMemo(() => {
    const gone = goneKeys(decisions)
    return (chosen: Chosen) => without(chosen, (item) => gone.has(keyOf(item)) || skipped.has(keyOf(item)))
  }, [decisions, skipped])
  const chosen = useMemo(() => stillThere(kept), [kept, stillThere])

  function choose(next: Chosen): void {
    const isTooMuch = next.items.size > MOST_CHOSEN
    setState({ list, chosen: isTooMuch ? chosen : next, left: 0, isFull: isTooMuch, isOn })
    if (isTooMuch) announce(t('tooMany', { count: MOST_CHOSEN }))
    else announce(t(next.isCut ? 'selectedOfMore' : 'selected', { count: next.items.size }))
  }

  const toggle = useSame((row: QueueItem) => choose(toggled(chosen, row)))
  const chooseTo = useSame((row: QueueItem) => {
    const to = rows.findIndex((other) => idOf(other) === idOf(row))
    choose(extended(chosen, rows, selection.index === -1 ? to : selection.index, to))
    selection.moveTo(idOf(row))
  })

  async function chooseAll(): Promise<Chosen> {
    const { order: _order, ...matching } = input
    try {
      const { items, isCut } = await client.bulk.preview.mutate({ matching })
      const all = stillThere(allOf(items, isCut))
      // Chosen before it is no longer being read: a key between the two would be for one alone.
      flushSync(() => choose(all))
      return all
    } catch {
      announce(t('notSelected'))
      return chosen
    } finally {
      reading.current = undefined
    }
  }

  useHear((message) => {
    if (message.kind !== 'event' || changeOf(message.name, input.view) !== 'left') return
    const itemId = `${message.subjectType}:${message.subjectId}`
    if (!kept.items.has(itemId)) return
    // What one decided oneself has left already.
    const more = chosen.items.has(itemId) ? 1 : 0
    setState((before) => ({
      ...before,
      chosen: without(before.chosen, (item) => idOf(item) === itemId),
      left: before.left + more,
    }))
    if (more > 0) announce(t('left', { count: left + more }))
  })

  return {
    items: chosen.items,
    isCut: chosen.isCut,
    /** So many left by themselves: they wait here no longer. */
    left,
    /** Another one would have been too many. */
    isFull,
    /** Whether rows show that they can be chosen. */
    isChoosing: isOn || chosen.items.size > 0,
    isOn,
    /** What is reported is looked into one by one. */
    isOffered: input.view !== 'reported',
    turnOn: () => setState({ ...none, isOn: true }),
    /** Whether some are chosen, or about to be. */
    hasSome: () => chosen.items.size > 0 || reading.current !== undefined,
    /** Once all that match are read, where they are being read. */
    settled: async () => (await reading.current) ?? chosen,
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
export type Choosing = ReturnType<typeof useChosen>
