import { DomainError } from '#server/core/errors.ts'

/** Nothing the interface takes is nested deeper than this; metadata of apps has room. */
const MAX_DEPTH = 64
/** The longest lists of the interface hold a thousand entries; checking more would cost more than refusing them. */
const MAX_ENTRIES = 10_000

const QUOTE = 34
const COMMA = 44
const OPEN_BRACKET = 91
const BACKSLASH = 92
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const CLOSE_BRACE = 125

/**
 * Refuses JSON that is nested too deeply or has too many entries, in one pass over the text and before it is parsed. Throws
 * INVALID_REQUEST. Text that is no JSON passes: its parser says so.
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

/** Where the string that opens at `start` closes. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH) at += 1
    else if (code === QUOTE) return at
  }
  return text.length
}
