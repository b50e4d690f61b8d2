import { UNDO_WINDOW_MS } from './decisions.ts'
import { TICK_MS } from './use-quarter-seconds.ts'

/** The top edge of a slip: how much of the time is left in which nobody is told. */
export function UndoLine({ left }: { left: number }) {
  return (
    <span
      aria-hidden
      style={{ scale: `${Math.max(0, left - TICK_MS) / UNDO_WINDOW_MS} 1` }}
      className="absolute inset-x-0 top-0 h-[3px] origin-left bg-ink transition-[scale] duration-250 ease-linear forced-color-adjust-none motion-reduce:scale-none! rtl:origin-right"
    />
  )
}
