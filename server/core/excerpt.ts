const EXCERPT_LENGTH = 120

/** The beginning of a text, with an ellipsis where it goes on; undefined for an empty one. Cut between characters, not within one. */
export function excerptOf(text: string): string | undefined {
  const words = text.trim()
  if (words.length <= EXCERPT_LENGTH) return words || undefined
  const characters = Array.from(words)
  return characters.length <= EXCERPT_LENGTH ? words : `${characters.slice(0, EXCERPT_LENGTH).join('').trimEnd()}…`
}
