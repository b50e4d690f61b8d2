import { findLinks } from '#server/core/links/find-links.ts'
import { mapInTurns } from '#server/core/map-in-turns.ts'
import { similarity } from '#server/core/similarity/shingles.ts'

/** What is this near to the open item may be of its wave. */
const NEAR = 0.3
/** What is this near to what they have in common is. */
const OF_WAVE = 0.4
/** How many of the nearest say what they have in common. */
const NEAREST = 16

type Shingles = ReadonlySet<number>

/** What most of the texts nearest to `one` have in common: about what they were made from. Undefined if none is near. */
export async function commonShingles(one: Shingles, others: Shingles[]): Promise<Shingles | undefined> {
  const compared = await mapInTurns(others, (shingles) => ({ shingles, likeness: similarity(one, shingles) }))
  const near = compared
    .filter(({ likeness }) => likeness >= NEAR)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, NEAREST)
  if (near.length === 0) return undefined
  const counts = new Map<number, number>()
  for (const shingles of [one, ...near.map(({ shingles }) => shingles)])
    for (const shingle of shingles) counts.set(shingle, (counts.get(shingle) ?? 0) + 1)
  return new Set([...counts].filter(([, count]) => count * 2 > near.length).map(([shingle]) => shingle))
}

const WORD = /[\p{L}\p{M}\p{N}]{4,}/gu
/** The share of the texts that have a shared word. */
const SHARED = 0.8
const MOST_WORDS = 12

/** The words of a text that nearly all of these texts have too, in their order. Words in links don't count. */
export async function sharedWords(text: string, texts: string[]): Promise<string[]> {
  const wordsOf = (text: string) => new Set(withoutLinks(text).toLowerCase().match(WORD))
  const others = await mapInTurns(texts, wordsOf)
  const isShared = (word: string) => others.filter((words) => words.has(word)).length >= SHARED * others.length
  return [...wordsOf(text)].filter(isShared).slice(0, MOST_WORDS)
}

function withoutLinks(text: string): string {
  const links = linksIn(text)
  return [
    ...links.map(({ from }, at) => text.slice(links[at - 1]?.to ?? 0, from)),
    text.slice(links.at(-1)?.to ?? 0),
  ].join(' ')
}

/** The links in a text, without names that only could be a domain. */
const linksIn = (text: string) => findLinks(text).filter(({ form }) => form !== 'maybe')

/**
 * Those of the texts that say what the wave has in common, the least similar first, at most `limit` of the most similar and `open`; none if
 * that isn't one of them. `found`: how many there are without the limit.
 */
export async function membersOf<T extends { shingles: Shingles }>(
  common: Shingles,
  { texts, open, limit }: { texts: T[]; open: T; limit: number },
): Promise<{ members: T[]; found: number }> {
  const compared = await mapInTurns(texts, (text) => ({ text, likeness: similarity(common, text.shingles) }))
  const found = compared.filter(({ likeness }) => likeness >= OF_WAVE).sort((a, b) => a.likeness - b.likeness)
  const members = found.slice(-limit).map(({ text }) => text)
  if (!found.some(({ text }) => text === open)) return { members: [], found: 0 }
  return { members: members.includes(open) ? members : [open, ...members.slice(1)], found: found.length }
}
