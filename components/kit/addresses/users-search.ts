import { createLoader, createSerializer, type inferParserType, parseAsString } from 'nuqs/server'
import type { PageInput } from '#server/modules/people/schema.ts'
import { parseAsQuery } from '../filters/parse-as-query.ts'

/** The longest search text, in characters. */
export const QUERY_LENGTH = 100

/** The search, and the page of the newest people without one. */
export const USERS_SEARCH = { query: parseAsQuery(QUERY_LENGTH), cursor: parseAsString }
export type UsersSearch = inferParserType<typeof USERS_SEARCH>

export const loadUsersSearch = createLoader(USERS_SEARCH)
const serialize = createSerializer(USERS_SEARCH)
export const toUsersPath = (search: Partial<UsersSearch>): string => serialize('/users', search)

export function toNewestInput({ cursor }: UsersSearch): Partial<PageInput> {
  return cursor === null ? {} : { cursor }
}
