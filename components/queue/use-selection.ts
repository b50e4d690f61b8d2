'use client'
import { useEffect, useRef, useState } from 'react'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { isPhone } from './is-phone.ts'
import { itemIdOf } from './item-id.ts'
import { useNamedItem } from './use-queue-filter.ts'

export const rowId = (itemId: string) => `row-${itemId}`
export const ITEM_HEADING = 'item-heading'

/**
 * The item one is on: the one in the URL, else the last one touched, else the first. On a phone only one in the URL
 * is open, so that moving along the list does not leave it.
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

  // The list, where it is to be seen, gives it to the row, once that is there.
  useEffect(() => {
    if (focusTurn > 0 && currentId && isOpen && isPhone()) focusOn(ITEM_HEADING)
  }, [focusTurn, currentId, isOpen])

  /** Makes another one the current one; `withFocus` where a key did it. */
  function moveTo(itemId: string | undefined, { withFocus = true } = {}): void {
    setTouched(itemId)
    if (isOpen || !isPhone()) setItem(itemId ?? null)
    if (withFocus) setFocusTurn((turn) => turn + 1)
  }

  /** Opens one; on a phone that is a page one comes back from. */
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

  /** The row that far along; none past the ends. */
  function neighbour(by: number): string | undefined {
    const row = rows[index + by]
    return row && itemIdOf(row)
  }

  /** Whether the current one is on the screen: on a phone the list may be instead. */
  const isSeen = () => isOpen || !isPhone()

  return { currentId, current: rows[index], index, isOpen, isSeen, focusTurn, moveTo, open, close, neighbour }
}
export type Selection = ReturnType<typeof useSelection>

/** Gives the row of the current item the focus where a key made it the current one. For the list, which draws the row. */
export function useRowFocus({ focusTurn, currentId }: Selection): void {
  useEffect(() => {
    if (focusTurn > 0 && currentId) focusOn(rowId(currentId))
  }, [focusTurn, currentId])
}

function focusOn(id: string): void {
  document.getElementById(id)?.focus({ preventScroll: true })
}
