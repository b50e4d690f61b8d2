import { normalizeText } from '#server/core/similarity/normalize-text.ts'

/** Characters of a shingle. */
const SHINGLE = 3
/** How much of a text is compared: only the beginning of a longer one. */
export const COMPARED_LENGTH = 1_000
/** A shorter text, without what is ignored, says too little to be near to another. */
const LEAST_CHARACTERS = 24

/**
 * The hashes of all trigrams of a text, without what `normalizeText` ignores: of its letters, whatever their language. Undefined for a text that is too
 * short to be compared.
 */
export function shinglesOf(text: string): ReadonlySet<number> | undefined {
  const characters = [...normalizeText(text.slice(0, COMPARED_LENGTH))].map(
    (character) => character.codePointAt(0) ?? 0,
  )
  if (characters.length < LEAST_CHARACTERS) return undefined
  const shingles = new Set<number>()
  for (let start = 0; start + SHINGLE <= characters.length; start += 1) {
    let hash = 0x811c9dc5
    for (let at = start; at < start + SHINGLE; at += 1) hash = mixed(hash ^ (characters[at] ?? 0))
    shingles.add(hash)
  }
  return shingles
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

/** What two texts share of all that both say: from 0 to 1 (the Jaccard index). */
export function similarity(one: ReadonlySet<number>, other: ReadonlySet<number>): number {
  const shared = one.intersection(other).size
  return shared / (one.size + other.size - shared)
}

/** Spreads 32 bits over 32 bits, one to one (the finalizer of MurmurHash3). */
export function mixed(value: number): number {
  let hash = value
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
