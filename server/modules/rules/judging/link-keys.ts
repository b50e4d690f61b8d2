import { createHash } from 'node:crypto'
import { JUDGED_LENGTH, type Text } from '#server/modules/rules/conditions/facts.ts'
import { findLinks, isLink, nameOf } from '#server/modules/rules/conditions/links.ts'
import { textsOf } from '#server/modules/rules/judging/judged-texts.ts'

/** Links without what doesn't change where they lead, and their domains. */
export interface Links {
  link: Set<string>
  domain: Set<string>
}

/** A text with more is read again instead: its keys would take more room than it does. */
const MOST_KEYS = 200
/** What a text that has a link contains. */
const MAY_HAVE_LINK = /[^\s.][.\u3002\uff0e\uff61%][^\s.]|[/\\:][/\\]|\w:\w/

/** The links in the judged part of texts that lead to one of the first `mostDomains` domains. */
export function linksOf(texts: Text[], mostDomains = Number.POSITIVE_INFINITY): Links {
  const judged = texts.map(({ field, text }) => ({ field, text: text.slice(0, JUDGED_LENGTH) }))
  const links = judged.some(({ text }) => MAY_HAVE_LINK.test(text)) ? findLinks(judged).filter(isLink) : []
  const domain = new Set([...new Set(links.map((link) => nameOf(link, 'domain')))].slice(0, mostDomains))
  const kept = links.filter((link) => domain.has(nameOf(link, 'domain')))
  return { domain, link: new Set(kept.map((link) => nameOf(link, 'link'))) }
}

/** The `link_keys` of new content, by which rules count how often its links and their domains were written. */
export function linkKeysOf(data: unknown): string[] | null {
  const { link, domain } = linksOf(textsOf(data))
  const keys = [
    ...[...link].map((name) => linkKey('link', name)),
    ...[...domain].map((name) => linkKey('domain', name)),
  ]
  return keys.length > MOST_KEYS ? null : keys
}

/** 64 bits of SHA-256, as PostgreSQL's `bigint`. */
export function linkKey(by: keyof Links, name: string): string {
  return createHash('sha256').update(`${by} ${name}`).digest().readBigInt64BE().toString()
}
