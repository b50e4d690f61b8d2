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

interface UndoLabelProps {
  undo: string
  of: string
  /** The countdown at its start, when it is widest: the button stays as wide, so that nothing beside it moves. */
  widest: string
  children: ReactNode
}

/** The label of an undo button: it shows a countdown, under an accessible name that doesn't change. */
export function UndoLabel({ undo, of, widest, children }: UndoLabelProps) {
  return (
    <>
      <span
        aria-hidden
        data-widest={widest}
        className="grid text-start whitespace-nowrap tabular-nums before:invisible before:col-start-1 before:row-start-1 before:content-[attr(data-widest)]"
      >
        <span className="col-start-1 row-start-1">{children}</span>
      </span>
      <span className="sr-only">
        {undo} {of}
      </span>
    </>
  )
}
