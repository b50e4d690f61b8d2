'use client'
import { useQueryState } from 'nuqs'
import { useEffect, useRef, useState } from 'react'
import type { QueueItem } from '#server/modules/review/schema.ts'
import { isPhone } from './is-phone.ts'
import { idOf } from './item-id.ts'
import { QUEUE_SEARCH } from './queue-search.ts'

export const rowId = (itemId: string) => `row-${itemId}`
export const ITEM_HEADING = 'item-heading'

/**
 * The item one is on: the one in the URL, else the last one touched, else the first. On a phone only one in the URL
 * is open, so that moving along the list does not leave it.
 */
export function useSelection(rows: QueueItem[]) {
  const [item, setItem] = useQueryState('item', QUEUE_SEARCH.item)
  const [touched, setTouched] = useState<string>()
  const [focusTurn, setFocusTurn] = useState(0)
  const wasPushed = useRef(false)

  const known = rows.some((row) => idOf(row) === touched) ? touched : rows[0] && idOf(rows[0])
  const currentId = item ?? known
  const isOpen = item !== null
  const index = rows.findIndex((row) => idOf(row) === currentId)

  useEffect(() => {
    if (focusTurn > 0 && currentId) focusOn(currentId, isOpen)
  }, [focusTurn, currentId, isOpen])

  /** Makes another one the current one; `withFocus` where a key did it. */
  function moveTo(itemId: string | undefined, { withFocus = true } = {}): void {
    setTouched(itemId)
    if (isOpen || !isPhone()) void setItem(itemId ?? null)
    if (withFocus) setFocusTurn((turn) => turn + 1)
  }

  /** Opens one; on a phone that is a page one comes back from. */
  function open(itemId: string): void {
    setTouched(itemId)
    wasPushed.current = isPhone() && !isOpen
    void setItem(itemId, { history: wasPushed.current ? 'push' : 'replace' })
    setFocusTurn((turn) => turn + 1)
  }

  function close(): void {
    setTouched(item ?? undefined)
    if (wasPushed.current) window.history.back()
    else void setItem(null)
    wasPushed.current = false
    setFocusTurn((turn) => turn + 1)
  }

  /** The row that far along; none past the ends. */
  function neighbour(by: number): string | undefined {
    const row = rows[index + by]
    return row && idOf(row)
  }

  /** Whether the current one is on the screen: on a phone the list may be instead. */
  const isSeen = () => isOpen || !isPhone()

  return { currentId, current: rows[index], index, isOpen, isSeen, moveTo, open, close, neighbour }
}
export type Selection = ReturnType<typeof useSelection>

/** On the row; where the list is not to be seen, on what is open instead. */
function focusOn(itemId: string, isOpen: boolean): void {
  const row = document.getElementById(rowId(itemId))
  const isSeen = row?.checkVisibility() ?? false
  const target = isOpen && !isSeen ? document.getElementById(ITEM_HEADING) : row
  target?.focus({ preventScroll: true })
}
