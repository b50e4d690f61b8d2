import { parseAsString } from 'nuqs/server'

/** The open role; empty shows all of them in the matrix. */
export const ROLES_SEARCH = { role: parseAsString.withDefault('') }
