import type { FoundRange } from './split-found.ts'

/** Each match of the words in the text, ignoring case. */
export function matchesOf(text: string, words: string): FoundRange[] {
  if (words === '') return []
  const literally = new RegExp(words.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`), 'giu')
  return Array.from(text.matchAll(literally), ({ 0: found, index }) => ({ from: index, to: index + found.length }))
}

/** How many characters before the match are kept when the beginning is cut, and how far in a match may be before it is cut. */
const LEAD = 30
const NEAR_ENOUGH = 70

/** The text from shortly before the match, so that a line or two of it shows the words. */
export function fromMatchOn(text: string, words: string): string {
  const [first] = matchesOf(text, words)
  if (!first || first.from <= NEAR_ENOUGH) return text
  const start = text.indexOf(' ', first.from - LEAD)
  return `… ${text.slice(start === -1 || start >= first.from ? first.from : start + 1)}`
}
