const EXCERPT_LENGTH = 120
/** On a person's page, which is about what they wrote. */
export const LONG_EXCERPT_LENGTH = 280

/** The beginning of a text, with an ellipsis where it goes on; undefined for an empty one. Cut between characters, not within one. */
export function excerptOf(text: string, length = EXCERPT_LENGTH): string | undefined {
  const words = text.trim()
  if (words.length <= length) return words || undefined
  const characters = Array.from(words)
  return characters.length <= length ? words : `${characters.slice(0, length).join('').trimEnd()}…`
}
