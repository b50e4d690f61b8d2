const { STRESS_SCALE } = process.env
/** Whether this is `npm run test:stress`. */
export const IS_STRESS = STRESS_SCALE !== undefined

/** A number of iterations, times STRESS_SCALE: once in the daily suite, several times over in `npm run test:stress`. */
export function scaled(rounds: number): number {
  return Math.max(1, Math.round(rounds * Number(STRESS_SCALE ?? 1)))
}

/** In the daily suite this many of them, evenly spread and always the same; all of them in `npm run test:stress`. */
export function sampled<Item>(all: readonly Item[], count: number): Item[] {
  if (IS_STRESS || count >= all.length) return [...all]
  return Array.from({ length: count }, (_, part) => all[Math.floor((part * all.length) / count)]).filter(
    (item) => item !== undefined,
  )
}

/** In the daily suite the indexes on both sides of each change of value, or the first where all are equal; all in `npm run test:stress`. */
export function borders(values: readonly unknown[]): number[] {
  const indexes = [...values.keys()]
  if (IS_STRESS) return indexes
  const changes = indexes.slice(1).filter((index) => values[index] !== values[index - 1])
  return changes.length === 0 ? indexes.slice(0, 1) : [...new Set(changes.flatMap((index) => [index - 1, index]))]
}
