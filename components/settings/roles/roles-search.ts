import { parseAsString } from 'nuqs/server'

/** Which role is open; none shows all of them beside each other. */
export const ROLES_SEARCH = { role: parseAsString.withDefault('') }
