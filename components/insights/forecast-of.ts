import type { Pace } from '#server/modules/review/insights/schema.ts'

/**
 * What becomes of a queue at a pace. Of `empties`, `count` is in how many days, rounded up; of `grows`, by how many items a day, to a tenth.
 */
export function forecastOf(
  waiting: number,
  { days, held, decided }: Pace,
): { will: 'isEmpty' | 'empties' | 'grows' | 'stays'; count: number } {
  if (waiting === 0) return { will: 'isEmpty', count: 0 }
  const aDay = (decided - held) / days
  if (aDay > 0) return { will: 'empties', count: Math.ceil(waiting / aDay) }
  return aDay < 0 ? { will: 'grows', count: Math.round(-aDay * 10) / 10 } : { will: 'stays', count: 0 }
}
