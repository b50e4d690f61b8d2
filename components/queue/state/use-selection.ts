'use client'
import { useEffect, useRef, useState } from 'react'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { itemIdOf } from './item-id.ts'
import { useNamedItem } from './use-queue-filter.ts'
import { isPhone } from './window-size.ts'

export const rowId = (itemId: string) => `row-${itemId}`
export const ITEM_HEADING = 'item-heading'
export const CONTEXT_PANE = 'item-context'

/**
 * The current item: the one in the URL, else the last one selected, else the first. On a phone only the one in the URL is open, so that
 * moving along the list doesn't leave it.
 */
export function useSelection(rows: QueueItem[]) {
  const { item, setItem } = useNamedItem()
  const [touched, setTouched] = useState<string>()
  const [focusTurn, setFocusTurn] = useState(0)
  const wasPushed = useRef(false)

  const known = rows.some((row) => itemIdOf(row) === touched) ? touched : rows[0] && itemIdOf(rows[0])
  const currentId = item ?? known
  const isOpen = item !== null
  const index = rows.findIndex((row) => itemIdOf(row) === currentId)

  // If the list is visible, it focuses the row once that is rendered.
  useEffect(() => {
    if (focusTurn > 0 && currentId && isOpen && isPhone()) focusOn(ITEM_HEADING)
  }, [focusTurn, currentId, isOpen])

  /** Makes another item current; `withFocus` when a key did it. */
  function moveTo(itemId: string | undefined, { withFocus = true } = {}): void {
    setTouched(itemId)
    if (isOpen || !isPhone()) setItem(itemId ?? null)
    if (withFocus) setFocusTurn((turn) => turn + 1)
  }

  /** Opens an item; on a phone this adds a history entry. */
  function open(itemId: string): void {
    setTouched(itemId)
    wasPushed.current = isPhone() && !isOpen
    setItem(itemId, { isStep: wasPushed.current })
    setFocusTurn((turn) => turn + 1)
  }

  function close(): void {
    setTouched(item ?? undefined)
    if (wasPushed.current) window.history.back()
    else setItem(null)
    wasPushed.current = false
    setFocusTurn((turn) => turn + 1)
  }

  /** The row that far from the current one; undefined past the ends. */
  function neighbour(by: number): string | undefined {
    const row = rows[index + by]
    return row && itemIdOf(row)
  }

  /** The closest row that isn't about to leave: further down, else further up. */
  function nextWithout(left: ReadonlySet<string>): string | undefined {
    const stays = (row: QueueItem) => !left.has(itemIdOf(row))
    const row = rows.slice(Math.max(index, 0)).find(stays) ?? rows.slice(0, Math.max(index, 0)).findLast(stays)
    return row && itemIdOf(row)
  }

  /** Whether the current item is visible: on a phone, the list may be shown instead. */
  const isSeen = () => isOpen || !isPhone()

  return {
    currentId,
    current: rows[index],
    index,
    isOpen,
    isSeen,
    focusTurn,
    moveTo,
    open,
    close,
    neighbour,
    nextWithout,
  }
}
export type Selection = ReturnType<typeof useSelection>

/** Focuses the current row after a key made it current. For the list, which renders the row. */
export function useRowFocus({ focusTurn, currentId }: Selection): void {
  useEffect(() => {
    if (focusTurn > 0 && currentId) focusOn(rowId(currentId))
  }, [focusTurn, currentId])
}

export function focusOn(id: string, { isScrolled = false } = {}): void {
  document.getElementById(id)?.focus({ preventScroll: !isScrolled })
}
