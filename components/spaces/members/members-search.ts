import { parseAsQuery } from '#components/kit/filters/parse-as-query.ts'
import {
  createLoader,
  type inferParserType,
  parseAsArrayOf,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
} from '#components/ui/search-params/parsers.ts'
import type { MemberFilter, MemberSpace, MembersInput } from '#server/modules/desk/spaces/schema.ts'

export const FILTERS = ['all', 'muted', 'banned', 'member&banned'] as const satisfies MemberFilter[]
const SORTS = ['lastCreated', 'firstCreated', 'displayName'] as const satisfies MembersInput['sortBy'][]
export const DELETED = ['without', 'only', 'both'] as const
export const MEMBERS_A_PAGE = 20

/** The filters of the members, and the selection. */
export const MEMBERS_SEARCH = {
  query: parseAsQuery(),
  filter: parseAsStringLiteral(FILTERS).withDefault('all'),
  roles: parseAsArrayOf(parseAsString).withDefault([]),
  deleted: parseAsStringLiteral(DELETED).withDefault('without'),
  sort: parseAsStringLiteral(SORTS).withDefault('lastCreated'),
  cursor: parseAsString,
  /** The number of the first row, which the cursor doesn't contain. */
  from: parseAsInteger.withDefault(1),
  chosen: parseAsArrayOf(parseAsString).withDefault([]),
}
export type MembersSearch = inferParserType<typeof MEMBERS_SEARCH>
export const loadMembersSearch = createLoader(MEMBERS_SEARCH)

/** Another page or filter clears the selection, as its rows are no longer visible. */
export const FROM_START = { cursor: null, from: null, chosen: null } as const

const IS_DELETED = { without: false, only: true, both: undefined }

export function toCountInput(space: MemberSpace, { query, filter, roles, deleted }: MembersSearch) {
  const search = query.trim()
  const isDeleted = IS_DELETED[deleted]
  return {
    space,
    ...(filter !== 'all' && { filter }),
    ...(roles.length > 0 && { roles }),
    ...(search && { search }),
    ...(isDeleted !== undefined && { isDeleted }),
  }
}

export function toMembersInput(space: MemberSpace, search: MembersSearch) {
  const { sort, cursor } = search
  return {
    ...toCountInput(space, search),
    ...(sort !== 'lastCreated' && { sortBy: sort }),
    ...(cursor && { cursor }),
    limit: MEMBERS_A_PAGE,
  }
}
