import type { WaveOverTime } from '#server/modules/review/bulk/schema.ts'

/** How many pieces of equal length the time of a wave is divided into. */
const PIECES = 24

/** When these items were held, from the first to the last: how many in each piece of that time. */
export function overTime(times: Date[]): WaveOverTime {
  const instants = times.map((time) => time.getTime())
  const [first, last] = [Math.min(...instants), Math.max(...instants)]
  const pieces = last > first ? PIECES : 1
  const counts = Array.from({ length: pieces }, () => 0)
  for (const instant of instants) {
    const piece = Math.min(pieces - 1, Math.floor(((instant - first) / Math.max(1, last - first)) * pieces))
    counts[piece] = (counts[piece] ?? 0) + 1
  }
  return { from: new Date(first).toISOString(), to: new Date(last).toISOString(), counts }
}
