import {
  createLoader,
  createSerializer,
  type inferParserType,
  parseAsStringLiteral,
} from '#components/ui/search-params/parsers.ts'

/** Whether the page lists the appeals to decide or those decided. */
export const APPEALS_SEARCH = { state: parseAsStringLiteral(['waiting', 'decided']).withDefault('waiting') }
export type AppealsSearch = inferParserType<typeof APPEALS_SEARCH>

export const loadAppealsSearch = createLoader(APPEALS_SEARCH)
const serialize = createSerializer(APPEALS_SEARCH)
export const toAppealsPath = (search: Partial<AppealsSearch>): string => serialize('/appeals', search)
