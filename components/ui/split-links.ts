export interface TextPart {
  text: string
  /** Set if the part is a link. */
  href?: string
  /** Its position in the text. */
  at: number
}

const ADDRESS = /\bhttps?:\/\/[^\s<>"'`\p{Cc}\p{Bidi_Control}]+/giu
const CLOSES = { ')': '(', ']': '[', '}': '{' }

/** Splits a text at http and https URLs. The parts joined are the text. */
export function splitLinks(text: string): TextPart[] {
  const parts: TextPart[] = []
  let from = 0
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = withoutPunctuation(found)
    if (!isUrl(address)) continue
    if (index > from) parts.push({ text: text.slice(from, index), at: from })
    parts.push({ text: address, href: address, at: index })
    from = index + address.length
  }
  if (from < text.length) parts.push({ text: text.slice(from), at: from })
  return parts
}

/** A trailing full stop isn't part of the URL, and a closing bracket only if it was opened inside it. */
function withoutPunctuation(found: string): string {
  let address = found
  for (;;) {
    const last = address.at(-1) ?? ''
    const opening = CLOSES[last as keyof typeof CLOSES]
    const isLoose = opening ? count(address, last) > count(address, opening) : /[.,;:!?…*_”’»]/.test(last)
    if (!isLoose) return address
    address = address.slice(0, -1)
  }
}

function isUrl(address: string): boolean {
  try {
    return new URL(address) !== undefined
  } catch {
    return false
  }
}

function count(text: string, character: string): number {
  return text.split(character).length - 1
}
