import { LinkifyIt } from 'linkify-it'
import type { Text } from '#server/modules/rules/conditions/facts.ts'
import type { Found } from '#server/modules/rules/conditions/found.ts'

/** A link and the domain it leads to, in lower case and ASCII. */
export interface Link extends Found {
  domain: string
}

/** Also without a scheme, where the top-level domain is a country's or a common one. What stands before an @ isn't the domain. */
const linkify = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: false, urlAuth: true })

/** The links in texts, in their order. Linear in their length. */
export function findLinks(texts: Text[]): Link[] {
  return texts.flatMap(({ field, text }) =>
    (linkify.match(text) ?? []).flatMap(({ index, lastIndex, url }) => {
      const domain = domainOf(url)
      return domain === '' ? [] : [{ field, from: index, to: lastIndex, domain }]
    }),
  )
}

/** Empty for an address of another kind, such as mailto. */
function domainOf(url: string): string {
  const absolute = url.startsWith('//') ? `https:${url}` : url
  return URL.canParse(absolute) ? new URL(absolute).hostname.replace(/\.$/, '') : ''
}
