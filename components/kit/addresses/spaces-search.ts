import {
  createParser,
  type inferParserType,
  parseAsArrayOf,
  parseAsString,
} from '#components/ui/search-params/parsers.ts'
import { parseAsQuery } from '../filters/parse-as-query.ts'

/** A flag that is true or absent. */
export const parseAsTrue = createParser({ parse: (word) => (word === 'true' ? true : null), serialize: String })

/** The filters of a list of channels or communities. */
export const SPACES_SEARCH = {
  query: parseAsQuery(),
  tags: parseAsArrayOf(parseAsString).withDefault([]),
  isMine: parseAsTrue,
  cursor: parseAsString,
}
export type SpacesSearch = inferParserType<typeof SPACES_SEARCH>

export function toSpacesInput({ query, tags, isMine, cursor }: SpacesSearch) {
  const search = query.trim()
  return {
    ...(search && { search }),
    ...(tags.length > 0 && { tags }),
    ...(isMine && { isMine }),
    ...(cursor && { cursor }),
  }
}
