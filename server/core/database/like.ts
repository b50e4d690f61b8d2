import { type Sql, sql } from '#server/core/db.ts'

/** A `like` pattern that finds this exact text anywhere: `%`, `_` and `\` are literal. */
export function containing(text: string): string {
  return `%${escapeLike(text)}%`
}

/** A `like` pattern that matches this exact text only. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

/** Whether a text contains these words, both folded, so that `cafe` is in "Café". Words that show nothing are in no text. */
export function containsFolded(text: Sql, words: string): Sql {
  return foldedContains(sql`folded_text(${text})`, words)
}

/** Whether a text that is stored folded contains these words, which are folded here. Words that show nothing are in no text. */
export function foldedContains(folded: Sql, words: string): Sql {
  const pattern = sql`regexp_replace(nullif(folded_text(${words}), ''), '([\\\\%_])', '\\\\\\1', 'g')`
  return words === '' ? sql`true` : sql`${folded} like '%' || ${pattern} || '%'`
}
