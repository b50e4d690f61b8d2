import { findLinks } from '#server/core/links/find-links.ts'

/** The links in a text that have to be on the allow-list, each once, as they are compared with it: with a scheme, two slashes or `www.`. */
export function linksIn(text: string): string[] {
  const links = findLinks(text).filter(({ form }) => form === 'address')
  return [...new Set(links.map(({ written }) => written))]
}
