import { createLoader, createParser, createSerializer, type inferParserType, parseAsString } from 'nuqs/server'
import type { PageInput } from '#server/modules/people/schema.ts'

/** The longest search text, in characters. */
export const QUERY_LENGTH = 100

const parseAsQuery = createParser({ parse: (query) => query.slice(0, QUERY_LENGTH), serialize: String })

/** The search, and the page of the newest people without one. */
export const USERS_SEARCH = { query: parseAsQuery.withDefault(''), cursor: parseAsString }
export type UsersSearch = inferParserType<typeof USERS_SEARCH>

export const loadUsersSearch = createLoader(USERS_SEARCH)
const serialize = createSerializer(USERS_SEARCH)
export const toUsersPath = (search: Partial<UsersSearch>): string => serialize('/users', search)

export function toNewestInput({ cursor }: UsersSearch): Partial<PageInput> {
  return cursor === null ? {} : { cursor }
}
