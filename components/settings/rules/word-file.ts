/** What spreadsheets would read as a formula, and what looks as if it were kept from that; an apostrophe before it keeps it a text. */
const FORMULA = /^'*[=+\-@]/
const KEPT_FORMULA = /^'(?='*[=+\-@])/
/** A line with its first cell, quoted or plain; a quoted cell may go on for several lines of the file. */
const LINE = /[^\S\n]*(?:"((?:[^"]|"")*)"|([^,;\t\n]*))(?:[^,;\t\n]|[,;\t][^\S\n]*(?:"(?:[^"]|"")*")?)*(?:\n|$)/y
const HEADING = /^words?$/i

/** The words in the first column of a CSV file, which may have a heading. */
export function wordsIn(csv: string): string[] {
  const text = csv.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n')
  const cells: string[] = []
  for (let at = 0; at < text.length; ) {
    LINE.lastIndex = at
    const [whole = text.slice(at), quoted, plain = ''] = LINE.exec(text) ?? []
    const cell = quoted?.replaceAll('""', '"').replaceAll(/\s*\n\s*/g, ' ') ?? plain
    cells.push(cell.trim().replace(KEPT_FORMULA, ''))
    at += whole.length
  }
  return cells.filter((cell, index) => cell !== '' && !(index === 0 && HEADING.test(cell)))
}

/** The text of a file: in UTF-8 or UTF-16 as far as it is valid, else in Windows-1252, as older spreadsheets write it. */
export function textOfFile(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
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
