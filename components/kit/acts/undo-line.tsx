import type { ReactNode } from 'react'
import { UNDO_WINDOW_MS } from './undo-window.ts'

/**
 * The top edge of a slip: how much of the time is left in which nobody is told. In steps, for a line that glides is drawn sixty times
 * a second.
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

/** What stands on a button that undoes: it counts down in sight, under a name that stays the same. */
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
