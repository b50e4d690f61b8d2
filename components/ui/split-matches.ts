export interface Match {
  text: string
  isMatch: boolean
  /** Its position in the text. */
  at: number
}

/** Splits a text at each match of the words, ignoring case. The parts joined are the text. */
export function splitMatches(text: string, words: string): Match[] {
  if (words === '') return text === '' ? [] : [{ text, isMatch: false, at: 0 }]
  const parts: Match[] = []
  let from = 0
  const literally = new RegExp(words.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`), 'giu')
  for (const { 0: found, index } of text.matchAll(literally)) {
    if (index > from) parts.push({ text: text.slice(from, index), isMatch: false, at: from })
    parts.push({ text: found, isMatch: true, at: index })
    from = index + found.length
  }
  if (from < text.length) parts.push({ text: text.slice(from), isMatch: false, at: from })
  return parts
}

/** How many characters before the match are kept when the beginning is cut, and how far in a match may be before it is cut. */
const LEAD = 30
const NEAR_ENOUGH = 70

/** The text from shortly before the match, so that a line or two of it shows the words. */
export function fromMatchOn(text: string, words: string): string {
  const first = splitMatches(text, words).find(({ isMatch }) => isMatch)
  if (!first || first.at <= NEAR_ENOUGH) return text
  const start = text.indexOf(' ', first.at - LEAD)
  return `… ${text.slice(start === -1 || start >= first.at ? first.at : start + 1)}`
}
