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

/** In the daily suite the first and the last index of each run of equal values, where a rule changes; all indexes in `npm run test:stress`. */
export function borders(values: readonly unknown[]): number[] {
  return [...values.keys()].filter(
    (index) =>
      IS_STRESS ||
      index === 0 ||
      index === values.length - 1 ||
      values[index] !== values[index - 1] ||
      values[index] !== values[index + 1],
  )
}
