import type { Limit } from '../reports/results.ts'

/** The delay that this share of them doesn't exceed; they are sorted. */
export function delayAt(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const sortDelays = (delays: number[]): number[] => delays.toSorted((a, b) => a - b)

/** A limit in milliseconds that 95 of 100 sorted delays keep. */
export function delayLimit(
  what: string,
  sorted: number[],
  { promisedMs, digits }: { promisedMs: number; digits: number },
): Limit {
  const p95 = delayAt(sorted, 0.95)
  return {
    what: `${what}, 95 of 100`,
    measured: `${p95.toFixed(digits)} ms`,
    promised: `at most ${promisedMs} ms`,
    isHeld: p95 <= promisedMs,
  }
}

/** The rows of a table with a column in milliseconds for each list of sorted delays. */
export function delayRows(columns: number[][], digits: number): string[][] {
  return [
    ['median', 0.5] as const,
    ['95 of 100', 0.95] as const,
    ['99 of 100', 0.99] as const,
    ['slowest', 1] as const,
  ].map(([what, share]) => [what, ...columns.map((sorted) => delayAt(sorted, share).toFixed(digits))])
}
