import { randomInt } from 'node:crypto'
import { IS_STRESS } from '#server/testing/scaled.ts'

const DAILY_SEED = 20_261_121

/** Where random tests begin: the same in each daily run; another in each `npm run test:stress`, which prints it. SEED repeats a run. */
export const SEED = Number(process.env.SEED ?? (IS_STRESS ? randomInt(2 ** 31) : DAILY_SEED))
// All workers of a run have the same.
process.env.SEED ??= String(SEED)

export interface RandomNumbers {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number
  /** From 0 to below 1. */
  fraction(): number
  oneOf<Item>(items: readonly Item[]): Item
}

/** Random numbers for one test file, always the same for one SEED (mulberry32). */
export function randomNumbers(): RandomNumbers {
  let state = SEED
  const fraction = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(fraction() * limit)
  return {
    below,
    fraction,
    oneOf: (items) => {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('there is nothing to choose from')
      return item
    },
  }
}

/** Says with which seed a run of `npm run test:stress` can be repeated. */
export function setup(): void {
  if (IS_STRESS) console.log(`Random tests begin with SEED=${SEED}`)
}
