import { bandsOf } from '#server/core/similarity/min-hash.ts'
import { comparedText, shinglesOf } from '#server/core/similarity/shingles.ts'
import { textPartOf, type Written } from '#server/modules/content/items/text-key.ts'

const DAY_MS = 24 * 60 * 60_000

/** The bands of what is held at this time; null for a text that is too short, for files, whose text is not all they say, and outside communities. */
export function textBandsOf({ communityId, data, hasFiles }: Written, heldAt: Date): number[] | null {
  if (communityId === null || hasFiles) return null
  const shingles = shinglesOf(comparedText({ title: textPartOf(data, 'title'), text: textPartOf(data, 'text') }))
  return shingles ? bandsOf(shingles, dayOf(heldAt)) : null
}

/**
 * Bands of texts that were held up to a day earlier or later and say nearly the same. Those of different days differ, so that one that many texts
 * share stays as short as a day.
 */
export function bandsAround(shingles: ReadonlySet<number>, heldAt: Date): number[] {
  const day = dayOf(heldAt)
  return [day - 1, day, day + 1].flatMap((day) => bandsOf(shingles, day))
}

const dayOf = (time: Date) => Math.floor(time.getTime() / DAY_MS)
