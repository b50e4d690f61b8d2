const { STRESS_SCALE } = process.env
/** Whether this is `npm run test:stress`. */
export const IS_STRESS = STRESS_SCALE !== undefined

/** A number of iterations, times STRESS_SCALE: once in the daily suite, several times over in `npm run test:stress`. */
export function scaled(rounds: number): number {
  return Math.max(1, Math.round(rounds * Number(STRESS_SCALE ?? 1)))
}

/** In the daily suite this many of them, evenly spread; all of them in `npm run test:stress`. */
export function sampled<Item>(all: readonly Item[], count: number): Item[] {
  const step = IS_STRESS ? 1 : Math.max(1, all.length / count)
  return all.filter((_, index) => Math.floor(index % step) === 0)
}
