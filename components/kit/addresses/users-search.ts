import {
  createLoader,
  createSerializer,
  type inferParserType,
  parseAsString,
  parseAsStringLiteral,
} from '#components/ui/search-params/parsers.ts'
import type { FindPeopleInput, NewestInput, PersonState } from '#server/modules/people/schema.ts'
import { parseAsQuery } from '../filters/parse-as-query.ts'

/** The longest search text, in characters. */
export const QUERY_LENGTH = 100

/** The states to filter by. */
export const PERSON_STATES = ['banned', 'flagged', 'staff', 'deleted'] as const satisfies PersonState[]

/** The search and its filter, and the page of the newest people without a search. */
export const USERS_SEARCH = {
  query: parseAsQuery(QUERY_LENGTH),
  state: parseAsStringLiteral(PERSON_STATES),
  cursor: parseAsString,
}
export type UsersSearch = inferParserType<typeof USERS_SEARCH>

export const loadUsersSearch = createLoader(USERS_SEARCH)
const serialize = createSerializer(USERS_SEARCH)
export const toUsersPath = (search: Partial<UsersSearch>): string => serialize('/users', search)

export function toNewestInput({ state, cursor }: UsersSearch): Partial<NewestInput> {
  return { ...(state && { state }), ...(cursor !== null && { cursor }) }
}

export function toFindInput({ query, state }: UsersSearch): FindPeopleInput {
  return { query: query.trim(), ...(state && { state }) }
}
