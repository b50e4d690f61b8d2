import type { FoundRange } from './split-found.ts'

/** Each match of the words in the text, ignoring case. */
export function matchesOf(text: string, words: string): FoundRange[] {
  if (words === '') return []
  const literally = new RegExp(words.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`), 'giu')
  return Array.from(text.matchAll(literally), ({ 0: found, index }) => ({ from: index, to: index + found.length }))
}
