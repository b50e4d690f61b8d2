import { parseAsString } from '#components/ui/search-params/parsers.ts'

/** The open role; empty shows all of them in the matrix. */
export const ROLES_SEARCH = { role: parseAsString.withDefault('') }
