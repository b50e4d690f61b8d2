/** A pattern for `like` that finds this very text anywhere: `%`, `_` and `\` are taken literally. */
export function containing(text: string): string {
  return `%${exactly(text)}%`
}

/** A pattern for `like` that finds this very text alone. */
export function exactly(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
