export interface TextPart {
  text: string
  /** Set where the part is a link to the web. */
  href?: string
  /** Where in the text it begins. */
  at: number
}

const ADDRESS = /\bhttps?:\/\/[^\s<>"'`\p{Cc}\p{Bidi_Control}]+/giu
const CLOSES = { ')': '(', ']': '[', '}': '{' }

/** A text in its order, cut where http and https addresses begin and end. The parts together are the text. */
export function splitLinks(text: string): TextPart[] {
  const parts: TextPart[] = []
  let from = 0
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = withoutPunctuation(found)
    if (!URL.canParse(address)) continue
    if (index > from) parts.push({ text: text.slice(from, index), at: from })
    parts.push({ text: address, href: address, at: index })
    from = index + address.length
  }
  if (from < text.length) parts.push({ text: text.slice(from), at: from })
  return parts
}

/** The full stop of the sentence is not part of the address, and a bracket only where it opened inside it. */
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

function count(text: string, character: string): number {
  return text.split(character).length - 1
}
