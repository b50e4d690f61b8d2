export type Random = () => number

/** Numbers from 0 up to 1, excluded, that are the same on every run (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** One of them. With a higher `power`, the first ones more often than the last. */
export function oneOf(all: readonly string[], random: Random, power = 1): string {
  return all[Math.floor(random() ** power * all.length)] ?? ''
}

/** 24 hexadecimal digits in an order unrelated to time. */
export function scatteredId(number: number): string {
  const scattered = (Math.imul(number, 2_654_435_761) >>> 0).toString(16).padStart(8, '0')
  return `${scattered}${number.toString(16).padStart(16, '0')}`
}

export function timestamp(at: number): string {
  return new Date(at).toISOString()
}
