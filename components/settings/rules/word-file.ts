/** What spreadsheets would read as a formula, and what looks as if it were kept from that; an apostrophe before it keeps it a text. */
const FORMULA = /^'*[=+\-@]/
const KEPT_FORMULA = /^'(?='*[=+\-@])/
const FIRST_CELL = /^\s*(?:"((?:[^"]|"")*)"|([^,;\t]*))/
const HEADING = /^words?$/i

/** The words in the first column of a CSV file, which may have a heading. */
export function wordsIn(csv: string): string[] {
  const cells = csv
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .map((line) => {
      const [, quoted, plain = ''] = FIRST_CELL.exec(line) ?? []
      return (quoted?.replaceAll('""', '"') ?? plain).trim().replace(KEPT_FORMULA, '')
    })
  return cells.filter((cell, index) => cell !== '' && !(index === 0 && HEADING.test(cell)))
}

/** A CSV file of the words, one to a line. */
export function toWordFile(words: string[]): string {
  const lines = words.map((word) => `"${(FORMULA.test(word) ? `'${word}` : word).replaceAll('"', '""')}"\r\n`)
  return ['word\r\n', ...lines].join('')
}

/** The words with those of a file that aren't among them yet, whatever their case. */
export function withWords(words: string[], added: string[]): string[] {
  const all = [...words, ...added]
  const missing = new Set(all.map((word) => word.toLowerCase()))
  return all.filter((word) => missing.delete(word.toLowerCase()))
}
