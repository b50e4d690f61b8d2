import { findLinks as findWritten, type WrittenLink, withoutWww } from '#server/core/links/find-links.ts'
import type { Text } from '#server/modules/rules/conditions/facts.ts'
import type { Found } from '#server/modules/rules/conditions/found.ts'

/** A link in one of the texts; `maybe` is one only for conditions that name its domain. */
export interface Link extends Found, Pick<WrittenLink, 'domain' | 'address' | 'form'> {}

/** The links in texts, in their order, with what could be one. Linear in their length. */
export function findLinks(texts: Text[]): Link[] {
  return texts.flatMap(({ field, text }) => findWritten(text).map(({ written: _, ...link }) => ({ field, ...link })))
}

/** Whether it is a link whatever its domain is. */
export const isLink = ({ form }: Pick<Link, 'form'>): boolean => form !== 'maybe'

/** What is the same for two links that are the same, or that lead to the same domain. */
export function nameOf({ domain, address }: Link, by: 'link' | 'domain'): string {
  return by === 'link' ? address : withoutWww(domain)
}
