import type { ReactNode } from 'react'
import { UNDO_WINDOW_MS } from './undo-window.ts'

/**
 * The top edge of a toast: how much of the undo time is left. Moves in steps, because a smooth animation would repaint sixty times a
 * second.
 */
export function UndoLine({ left }: { left: number }) {
  return (
    <span
      aria-hidden
      style={{ scale: `${left / UNDO_WINDOW_MS} 1` }}
      className="absolute inset-x-0 top-0 h-[3px] origin-left bg-ink forced-color-adjust-none motion-reduce:scale-none! rtl:origin-right"
    />
  )
}

/** The label of an undo button: it shows a countdown, under an accessible name that doesn't change. */
export function UndoLabel({ undo, of, children }: { undo: string; of: string; children: ReactNode }) {
  return (
    <>
      <span aria-hidden className="whitespace-nowrap tabular-nums">
        {children}
      </span>
      <span className="sr-only">
        {undo} {of}
      </span>
    </>
  )
}
