import { DomainError } from '#server/core/errors.ts'

/** No input of the interface is nested deeper than this; app metadata has room to spare. */
const MAX_DEPTH = 64
/** The longest lists of the interface have a thousand entries; checking more would cost more than rejecting them. */
const MAX_ENTRIES = 10_000

const QUOTE = 34
const COMMA = 44
const OPEN_BRACKET = 91
const BACKSLASH = 92
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const CLOSE_BRACE = 125

/**
 * Rejects JSON that is nested too deeply or has too many entries, in one pass over the text before it is parsed. Throws INVALID_REQUEST.
 * Text that is not JSON passes: the parser rejects it.
 */
export function assertBoundedJson(text: string): void {
  let depth = 0
  let entries = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1
    else if (code === COMMA) entries += 1
    if (depth > MAX_DEPTH) throw new DomainError('INVALID_REQUEST', { detail: ['the JSON is nested too deeply'] })
    if (entries > MAX_ENTRIES) throw new DomainError('INVALID_REQUEST', { detail: ['the JSON has too many entries'] })
  }
}

/** The end of the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH) at += 1
    else if (code === QUOTE) return at
  }
  return text.length
}
