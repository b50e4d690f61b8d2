import { parseAsDay } from '#components/kit/filters/parse-as-day.ts'
import { parseAsZone } from '#components/kit/zones/parse-as-zone.ts'
import {
  createLoader,
  createSerializer,
  type inferParserType,
  parseAsString,
} from '#components/ui/search-params/parsers.ts'
import { addDays } from '#server/core/periods.ts'
import type { InsightsInput } from '#server/modules/review/insights/schema.ts'

/** The community, the days and their zone. */
export const INSIGHTS_SEARCH = {
  communityId: parseAsString,
  startDate: parseAsDay,
  endDate: parseAsDay,
  timeZone: parseAsZone,
}
export type InsightsSearch = inferParserType<typeof INSIGHTS_SEARCH>

export const loadInsightsSearch = createLoader(INSIGHTS_SEARCH)
const serialize = createSerializer(INSIGHTS_SEARCH)
export const toInsightsPath = (search: Partial<InsightsSearch>): string => serialize('/insights', search)

const USUAL_DAYS = 28
/** The server's limit. */
const DAYS_LIMIT = 366

/** The last four weeks by default; an open or too distant end is moved up to the other one. */
export function toInsightsInput({ communityId, ...asked }: InsightsSearch, zone: string, today: string): InsightsInput {
  const endDate = asked.endDate ?? (asked.startDate === null ? today : later(asked.startDate, today))
  const startDate = asked.startDate ?? addDays(endDate, 1 - USUAL_DAYS)
  const earliest = addDays(endDate, 1 - DAYS_LIMIT)
  return { ...(communityId && { communityId }), startDate: later(startDate, earliest), endDate, timeZone: zone }
}

const later = (one: string, other: string) => (one > other ? one : other)
