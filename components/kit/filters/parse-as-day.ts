import { createParser } from '#components/ui/search-params/parsers.ts'

/** A day as in URLs: `YYYY-MM-DD`. */
export const parseAsDay = createParser({
  parse: (day) => (/^\d{4}-\d{2}-\d{2}$/.test(day) ? day : null),
  serialize: String,
})
