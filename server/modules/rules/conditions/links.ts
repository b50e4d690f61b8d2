import { LinkifyIt, REBuilder } from 'linkify-it'
import type { Text } from '#server/modules/rules/conditions/facts.ts'
import type { Found } from '#server/modules/rules/conditions/found.ts'

/** A link and the domain it leads to, in lower case and ASCII. */
export interface Link extends Found {
  domain: string
  /** Domain, path and query, without what seldom changes where it leads: `www.`, a slash at the end, and what follows a `#`. */
  address: string
}

/**
 * Domains as browsers take them: of any number of labels, also with underscores. Without the signs after which a link without a scheme can begin:
 * as letters of a domain, each sign in a long row of them would begin another look at the rest of it. And each label is found in one way only:
 * with two ways for each, a text that is no domain after all would be looked at a thousand times.
 */
class Domains extends REBuilder {
  override get_pseudo_letter(): RegExp {
    return new RegExp(String.raw`(?:_|(?![$+<=>^\`|\uff5c]|${this.src_ZPCc})${this.src_Any})`)
  }

  override get_domain(): RegExp {
    const letter = this.get_pseudo_letter().source
    return new RegExp(`(?:${letter}(?:(?:-|${letter}){0,61}${letter})?)`)
  }

  override get_url_host_port(): RegExp {
    return withAllLabels(super.get_url_host_port())
  }

  override get_fuzzy_url_host_port(): RegExp {
    return withAllLabels(super.get_fuzzy_url_host_port())
  }

  override get_relative_proto_validator(): RegExp {
    this.cache.relative ??= withAllLabels(super.get_relative_proto_validator())
    return this.cache.relative
  }
}

/** A name has at most 127 labels (RFC 1035); the library stops at 11. */
function withAllLabels({ source, flags }: RegExp): RegExp {
  return new RegExp(source.replace(/\{([01]),10\}/, '{$1,126}'), flags)
}

/** Also without a scheme, where the top-level domain is a country's or a common one. What stands before an @ isn't the domain. */
const linkify = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: false, urlAuth: true, rebuilder: new Domains() })

/** The links in texts, in their order. Linear in their length. */
export function findLinks(texts: Text[]): Link[] {
  return texts.flatMap(({ field, text }) =>
    (linkify.match(text) ?? []).flatMap(({ index, lastIndex, url }) => {
      const target = toTarget(url)
      return target === undefined ? [] : [{ field, from: index, to: lastIndex, ...target }]
    }),
  )
}

/** Undefined for an address of another kind, such as mailto. */
function toTarget(url: string): Pick<Link, 'domain' | 'address'> | undefined {
  const absolute = url.startsWith('//') ? `https:${url}` : url
  if (!URL.canParse(absolute)) return undefined
  const { hostname, pathname, search } = new URL(absolute)
  const domain = hostname.replace(/\.$/, '')
  return domain === '' ? undefined : { domain, address: withoutWww(domain) + pathname.replace(/\/$/, '') + search }
}

/** What is the same for two links that are the same, or that lead to the same domain. */
export function nameOf({ domain, address }: Link, by: 'link' | 'domain'): string {
  return by === 'link' ? address : withoutWww(domain)
}

function withoutWww(domain: string): string {
  return domain.replace(/^www\./, '')
}
