'use client'
import { useEffect, useState } from 'react'
import { CONTEXT_PANE, focusOn, rowId, type Selection } from '../state/use-selection.ts'

/** The context of the current item, reached with a key. On low windows it's a drawer, which closes when another item becomes current. */
export interface ContextDrawer {
  isOpen: boolean
  /** Opens it and moves the focus there; from there, closes it and moves the focus back. */
  toggle: () => void
  close: () => void
}

export function useContextDrawer({ currentId }: Selection): ContextDrawer {
  const [opened, setOpened] = useState<{ itemId: string | undefined }>()
  const isOpen = opened !== undefined && opened.itemId === currentId

  // The drawer can only be focused once it is shown.
  useEffect(() => {
    if (opened) focusOn(CONTEXT_PANE, { isScrolled: true })
  }, [opened])

  function close(): void {
    setOpened(undefined)
    if (hasFocus() && currentId) focusOn(rowId(currentId))
  }
  return {
    isOpen,
    close,
    toggle: () => (isOpen && hasFocus() ? close() : setOpened({ itemId: currentId })),
  }
}

const hasFocus = () => document.getElementById(CONTEXT_PANE)?.contains(document.activeElement) ?? false
