import type { TestProject } from 'vitest/node'

/** Where random tests begin: the same in each daily run; another in each `npm run test:stress`, which vitest.config.ts chooses. */
export const SEED = Number(process.env.SEED ?? 20_261_121)

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
export function setup({ config }: TestProject): void {
  console.log(`Random tests begin with SEED=${config.env.SEED}`)
}
