import {
  createLoader,
  createParser,
  createSerializer,
  type inferParserType,
  parseAsString,
} from '#components/ui/search-params/parsers.ts'
import type { AuditFilter, AuditInput, DECIDED as Decided, HELD as Held } from '#server/modules/ledger/audit/schema.ts'
import { parseAsDay } from '../filters/parse-as-day.ts'
import { parseAsZone } from '../zones/parse-as-zone.ts'

const parseAsNumber = createParser({
  parse: (digits) => (/^\d{1,18}$/.test(digits) ? digits : null),
  serialize: String,
})

/** Fills a large window; the ids of more entries would be most of the page. */
const ENTRIES_A_PAGE = 40

/** Besides the actions of the log: decisions on held items that were not undone. */
export const DECIDED: typeof Decided = 'decided'
/** Everything that was held. */
export const HELD: typeof Held = 'held'

/** The filters of the log, the page, and the open entry. */
export const AUDIT_SEARCH = {
  actorId: parseAsString,
  action: parseAsString,
  subjectId: parseAsString,
  communityId: parseAsString,
  startDate: parseAsDay,
  endDate: parseAsDay,
  timeZone: parseAsZone,
  cursor: parseAsString,
  entry: parseAsNumber,
}
export type AuditSearch = inferParserType<typeof AUDIT_SEARCH>

export const loadAuditSearch = createLoader(AUDIT_SEARCH)
const serialize = createSerializer(AUDIT_SEARCH)
export const toAuditPath = (search: Partial<AuditSearch>): string => serialize('/audit', search)

/** `zone` is the zone in force; it only matters with days. */
export function toAuditFilter(search: AuditSearch, zone: string): Partial<AuditFilter> {
  const { actorId, action, subjectId, communityId, startDate, endDate } = search
  return {
    ...(actorId && { actorId }),
    ...(action && { action }),
    ...(subjectId && { subjectId }),
    ...(communityId && { communityId }),
    ...(startDate && { startDate }),
    ...(endDate && { endDate }),
    ...((startDate || endDate) && { timeZone: zone }),
  }
}

export function toAuditInput(search: AuditSearch, zone: string): Partial<AuditInput> {
  return { ...toAuditFilter(search, zone), limit: ENTRIES_A_PAGE, ...(search.cursor && { cursor: search.cursor }) }
}

export const hasFilters = (search: AuditSearch): boolean => Object.keys(toAuditFilter(search, 'UTC')).length > 0
