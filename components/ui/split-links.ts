import { findLinks, type WrittenLink } from '#server/core/links/find-links.ts'

export interface TextPart {
  text: string
  /** Set if the part is a link. */
  href?: string
  /** Its position in the text. */
  at: number
}

/** Splits a text at the addresses in it that a browser opens, as rules find them. The parts joined are the text. */
export function splitLinks(text: string): TextPart[] {
  const parts: TextPart[] = []
  let from = 0
  for (const link of findLinks(text)) {
    const href = hrefOf(link)
    if (href === undefined) continue
    if (link.from > from) parts.push({ text: text.slice(from, link.from), at: from })
    const address = untilBidiControl(text.slice(link.from, link.to))
    parts.push({ text: address, href, at: link.from })
    from = link.from + address.length
  }
  if (from < text.length) parts.push({ text: text.slice(from), at: from })
  return parts
}

/** Absolute, with the host that rules read; undefined for what is an address to rules alone. */
function hrefOf({ form, written }: WrittenLink): string | undefined {
  if (form !== 'address') return undefined
  const href = untilBidiControl(/^[a-z][a-z0-9+.-]*:\/\//.test(written) ? written : `http://${written}`)
  return /^https?:/.test(href) && URL.canParse(href) ? href : undefined
}

/** What follows a mark that changes the direction of the text would be read in another order than it is. */
const untilBidiControl = (address: string) => /^\P{Bidi_Control}*/u.exec(address)?.[0] ?? ''
