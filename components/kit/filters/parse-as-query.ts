import { createParser } from '#components/ui/search-params/parsers.ts'

/** A search text as in URLs, cut to at most `length` characters. */
export function parseAsQuery(length = 100) {
  return createParser({ parse: (query) => query.slice(0, length), serialize: String }).withDefault('')
}
