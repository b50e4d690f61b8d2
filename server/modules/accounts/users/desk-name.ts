import { sql } from '#server/core/db.ts'

/** The name that a person has at the desk, from `network_user u` and, if they have one, their `staff_account a`. */
export const DESK_NAME = sql`coalesce(a.name, nullif(u.display_name, ''), u.user_id)`
