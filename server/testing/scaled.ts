import { createHash } from 'node:crypto'
import { SAMPLE_DAY } from '#server/testing/sample-day.ts'

const { STRESS_SCALE, TURNS } = process.env
/** Whether this is `npm run test:stress`. */
export const IS_STRESS = STRESS_SCALE !== undefined

/** A number of iterations, times STRESS_SCALE: once in the daily suite, several times over in `npm run test:stress`. */
export function scaled(rounds: number): number {
  return Math.max(1, Math.round(rounds * Number(STRESS_SCALE ?? 1)))
}

/** In the daily suite this many of them, evenly spread, and each day the next ones; all of them in `npm run test:stress`. */
export function sampled<Item>(all: readonly Item[], count: number): Item[] {
  if (IS_STRESS || count >= all.length) return [...all]
  const today = Array.from({ length: count }, (_, part) => {
    return (Math.floor((part * all.length) / count) + SAMPLE_DAY) % all.length
  })
  return all.filter((_, index) => today.includes(index))
}

/**
 * In the daily suite the indexes of one of each run of equal values, each day the next; all indexes in `npm run test:stress`. `offset` makes
 * lists of the same shape differ within a day.
 */
export function sampledRuns(values: readonly unknown[], offset = 0): number[] {
  const indexes = [...values.keys()]
  if (IS_STRESS) return indexes
  const runs = indexes.filter((index) => index === 0 || values[index] !== values[index - 1])
  return runs.map((start, run) => start + ((SAMPLE_DAY + offset) % ((runs[run + 1] ?? values.length) - start)))
}

/**
 * Whether a test that takes turns runs: in the daily suite a third of them each day, each day the next; all of them in
 * `npm run test:stress`, or with TURNS=rest those that the daily suite of that day leaves out.
 */
export function isItsTurn(title: string): boolean {
  const place = createHash('sha256').update(title).digest()[0] ?? 0
  const isToday = place % 3 === SAMPLE_DAY % 3
  if (IS_STRESS) return TURNS !== 'rest' || !isToday
  return isToday
}
