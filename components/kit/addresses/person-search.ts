import {
  createLoader,
  createSerializer,
  type inferParserType,
  parseAsString,
  parseAsStringLiteral,
} from '#components/ui/search-params/parsers.ts'
import type { ContentFilter, ContentListInput, ContentType } from '#server/modules/people/schema.ts'
import { parseAsDay } from '../filters/parse-as-day.ts'
import { toUserPath } from '../people/to-user-path.ts'
import { parseAsZone } from '../zones/parse-as-zone.ts'

/** The states and kinds by which what a person wrote is filtered. */
export const CONTENT_STATES = ['held', 'reported', 'published', 'rejected', 'removed'] as const satisfies NonNullable<
  ContentFilter['state']
>[]
export const CONTENT_KINDS = ['comment', 'post', 'message'] as const satisfies ContentType[]

const CONTENT_A_PAGE = 20

/** What a person's page lists of what they wrote, and the page of that list. */
export const PERSON_SEARCH = {
  state: parseAsStringLiteral(CONTENT_STATES),
  kind: parseAsStringLiteral(CONTENT_KINDS),
  communityId: parseAsString,
  startDate: parseAsDay,
  endDate: parseAsDay,
  timeZone: parseAsZone,
  cursor: parseAsString,
}
export type PersonSearch = inferParserType<typeof PERSON_SEARCH>

export const loadPersonSearch = createLoader(PERSON_SEARCH)
const serialize = createSerializer(PERSON_SEARCH)
export const toPersonPath = (userId: string, search: Partial<PersonSearch>): string =>
  serialize(toUserPath(userId), search)

/** `zone` is the zone in force; it only matters with days. */
export function toContentInput(userId: string, search: PersonSearch, zone: string) {
  const { state, kind, communityId, startDate, endDate, cursor } = search
  return {
    userId,
    limit: CONTENT_A_PAGE,
    ...(state && { state }),
    ...(kind && { kind }),
    ...(communityId && { communityId }),
    ...(startDate && { startDate }),
    ...(endDate && { endDate }),
    ...((startDate || endDate) && { timeZone: zone }),
    ...(cursor && { cursor }),
  } satisfies Partial<ContentListInput>
}

/** Whether anything is filtered. */
export function isNarrowed({ state, kind, communityId, startDate, endDate }: PersonSearch): boolean {
  return [state, kind, communityId, startDate, endDate].some((value) => value !== null)
}
