import { UNDO_WINDOW_MS } from './decisions.ts'

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
