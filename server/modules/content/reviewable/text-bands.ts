import { mixed, shinglesOf } from '#server/modules/content/reviewable/shingles.ts'
import { textPartOf, type Written } from '#server/modules/content/reviewable/text-key.ts'

/** Chosen by measuring generated waves (docs/decisions/0239). */
const BANDS = 32
const HASHES_A_BAND = 3

const SEEDS = Array.from({ length: BANDS * HASHES_A_BAND }, (_, index) => mixed(index + 1))
const DAY_MS = 24 * 60 * 60_000

/** The bands of what is held at this time; null for a text that is too short, for files, whose text is not all they say, and outside communities. */
export function textBandsOf({ communityId, data, hasFiles }: Written, heldAt: Date): number[] | null {
  if (communityId === null || hasFiles) return null
  const shingles = shinglesOf(comparedText({ title: textPartOf(data, 'title'), text: textPartOf(data, 'text') }))
  return shingles ? bandsOf(shingles, dayOf(heldAt)) : null
}

/** What of an item is compared with others. */
export function comparedText({
  title,
  text,
}: {
  title?: string | null | undefined
  text?: string | null | undefined
}): string {
  return [title, text].filter(Boolean).join(' ')
}

/** Bands of texts that were held up to a day earlier or later and say nearly the same. */
export function bandsAround(shingles: ReadonlySet<number>, heldAt: Date): number[] {
  const day = dayOf(heldAt)
  return [day - 1, day, day + 1].flatMap((day) => bandsOf(shingles, day))
}

const dayOf = (time: Date) => Math.floor(time.getTime() / DAY_MS)

/**
 * MinHash in bands of three: the chance that two texts have a band in common is 1 - (1 - s³)³², where `s` is their similarity. Bands of different days
 * differ, so that one that many texts share stays as short as a day.
 */
function bandsOf(shingles: ReadonlySet<number>, day: number): number[] {
  const values = [...shingles]
  return Array.from({ length: BANDS }, (_, band) => {
    let hash = mixed(day ^ (band << 20))
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
