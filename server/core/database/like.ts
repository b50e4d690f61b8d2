/** A `like` pattern that finds this exact text anywhere: `%`, `_` and `\` are literal. */
export function containing(text: string): string {
  return `%${escapeLike(text)}%`
}

/** A `like` pattern that matches this exact text only. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
