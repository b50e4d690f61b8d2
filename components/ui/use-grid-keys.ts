'use client'
import { type KeyboardEvent, type RefObject, useEffect } from 'react'

/** The link around a row's name does what the row does. */
const FOCUSABLE = 'a[href]:not([data-row-link]), button, input'

interface GridActs {
  /** Enter on a row. */
  onOpen: ((row: number, event: KeyboardEvent) => void) | undefined
  /** Space on a row. */
  onToggle: ((row: number) => void) | undefined
  onSelectAll: (() => void) | undefined
  onClear: (() => void) | undefined
}

/**
 * The keys of a grid with a single tab stop: arrow keys, Home and End move between rows, and along a row to what can be focused in it; above
 * the first row is the head.
 */
export function useGridKeys(
  table: RefObject<HTMLTableElement | null>,
  acts: GridActs,
): (event: KeyboardEvent<HTMLTableElement>) => void {
  // Reached by arrow keys. A table without rows has no other tab stop than its head.
  useEffect(() => {
    const { tHead, tBodies } = table.current ?? {}
    const [body] = tBodies ?? []
    for (const element of focusableIn(body)) element.tabIndex = -1
    for (const element of focusableIn(tHead)) element.tabIndex = body?.rows.length ? -1 : 0
  })

  return (event) => {
    const act = event.altKey ? undefined : actOf(event, acts)
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
}

function actOf(event: KeyboardEvent<HTMLTableElement>, acts: GridActs): (() => void) | undefined {
  const { key, target, currentTarget: table } = event
  const row = target instanceof HTMLElement ? target.closest('tr') : null
  if (!row) return undefined
  const index = [...(table.tBodies[0]?.rows ?? [])].indexOf(row)
  const isModified = event.ctrlKey || event.metaKey
  if (isModified && key === 'a') return acts.onSelectAll
  const { onOpen, onToggle, onClear } = acts
  if (target === row && key === 'Enter') return onOpen && (() => onOpen(index, event))
  if (isModified) return undefined
  if (target === row && key === ' ') return onToggle && (() => onToggle(index))
  if (key === 'Escape') return onClear
  const next = nextOf(key, { table, row, index, target })
  return next && (() => next.focus())
}

interface Place {
  table: HTMLTableElement
  row: HTMLTableRowElement
  /** -1 in the head. */
  index: number
  target: EventTarget
}

function nextOf(key: string, { table, row, index, target }: Place): HTMLElement | undefined {
  const rows = [...(table.tBodies[0]?.rows ?? [])]
  switch (key) {
    case 'ArrowDown':
      return rows[index + 1]
    case 'ArrowUp':
      return index > 0 ? rows[index - 1] : focusableIn(table.tHead)[0]
    case 'Home':
      return rows[0]
    case 'End':
      return rows.at(-1)
    case 'ArrowRight':
    case 'ArrowLeft': {
      const isForward = (key === 'ArrowRight') === (getComputedStyle(row).direction === 'ltr')
      const line: EventTarget[] = [...(index < 0 ? [] : [row]), ...focusableIn(row)]
      const next = line[line.indexOf(target) + (isForward ? 1 : -1)]
      return next instanceof HTMLElement ? next : undefined
    }
    default:
      return undefined
  }
}

const focusableIn = (part: Element | null | undefined): HTMLElement[] =>
  [...(part?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])].filter((element) => element.checkVisibility())
