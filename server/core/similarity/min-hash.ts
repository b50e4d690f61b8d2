import { mixed } from '#server/core/similarity/shingles.ts'

/** Chosen by measuring generated waves (docs/decisions/0239-waves-of-near-duplicates.md). */
const BANDS = 32
const HASHES_A_BAND = 3

const SEEDS = Array.from({ length: BANDS * HASHES_A_BAND }, (_, index) => mixed(index + 1))

/**
 * MinHash in bands of three: the chance that two texts have one of `n` bands in common is 1 - (1 - s³)ⁿ, where `s` is their similarity. Bands with
 * different salts differ.
 */
export function bandsOf(shingles: ReadonlySet<number>, salt: number, count: number = BANDS): number[] {
  const values = [...shingles]
  return Array.from({ length: count }, (_, band) => {
    let hash = mixed(salt ^ (band << 20))
    for (const seed of SEEDS.slice(band * HASHES_A_BAND, (band + 1) * HASHES_A_BAND))
      hash = mixed(hash ^ lowest(values, seed))
    return hash | 0
  })
}

function lowest(values: number[], seed: number): number {
  let least = 0xffffffff
  for (const value of values) {
    const hash = mixed(value ^ seed)
    if (hash < least) least = hash
  }
  return least
}
